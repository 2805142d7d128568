import type { NetworkConfig } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'

/** The lines to add to the network's entry in NETWORKS_FILE once SmartBalance is deployed. */
export function networksFileLines(
  { chainId, smartBalance, nativePrice }: NetworkConfig,
  deployed: Address,
): string[] {
  const isNamed = smartBalance !== undefined && isAddressEqual(smartBalance, deployed)
  if (isNamed) return ['NETWORKS_FILE already names it.']
  return [
    `Put this into network ${chainId} of NETWORKS_FILE${smartBalance ? `, in place of ${smartBalance}` : ''}:`,
    `  "smartBalance": "${deployed}"${nativePrice ? '' : ','}`,
    ...(nativePrice
      ? []
      : [
          '  "nativePrice": { "kind": "chainlink", "feed": "<native coin / USD feed of this network>", "maximumAge": 5400 }',
        ]),
  ]
}
