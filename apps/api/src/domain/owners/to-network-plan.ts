import type { Call } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'

/** What has to be signed on a network, its calls as the interface writes them; nothing when it is done there. */
export const toNetworkPlan = ({ chainId }: Network, calls: readonly Call[]) => ({
  network: chainId,
  status: calls.length > 0 ? ('pending' as const) : ('done' as const),
  transactionDetails: calls.map(({ to, value, data }) => ({
    encodedData: data,
    targetContractAddress: to,
    value: value.toString(),
  })),
})
