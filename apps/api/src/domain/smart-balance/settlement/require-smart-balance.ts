import { LanyardError } from '@lanyard/contracts'
import { isAddressEqual } from 'viem'
import type { BalanceNetwork } from './networks.ts'

/**
 * Refuses to attest for a network whose configured SmartBalance does not exist, or uses another EntryPoint or
 * token than configured: its attestations would be worthless.
 *
 * @throws NO_SMART_BALANCE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function requireSmartBalance({ network, contract }: BalanceNetwork): Promise<void> {
  const { entryPoint, settlementToken, name } = network.config
  const [entryPointThere, tokenThere] = await network.call((client) =>
    client.multicall({
      contracts: [
        { ...contract, functionName: 'ENTRY_POINT' } as const,
        { ...contract, functionName: 'token' } as const,
      ],
    }),
  )
  const matches =
    entryPointThere.status === 'success' &&
    tokenThere.status === 'success' &&
    settlementToken !== undefined &&
    isAddressEqual(entryPointThere.result, entryPoint) &&
    isAddressEqual(tokenThere.result, settlementToken.address)
  if (matches) return
  throw new LanyardError('NO_SMART_BALANCE', {
    message: `${name}: ${contract.address} is not a SmartBalance for this EntryPoint and this token.`,
    details: { network: network.chainId },
  })
}
