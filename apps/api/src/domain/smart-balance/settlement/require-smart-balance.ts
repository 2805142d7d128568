import { LanyardError } from '@lanyard/contracts'
import type { AgreedBlock } from '@lanyard/networks'
import { isAddressEqual, zeroAddress } from 'viem'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
import type { BalanceNetwork } from './networks.ts'

/**
 * Refuses to attest for a network whose configured SmartBalance does not exist, or uses another EntryPoint or
 * token than configured: its attestations would be worthless.
 *
 * @throws NO_SMART_BALANCE, NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function requireSmartBalance(
  { network, contract }: BalanceNetwork,
  block: AgreedBlock,
): Promise<void> {
  const { entryPoint, settlementToken, name } = network.config
  const [[entryPointThere, tokenThere]] = await multicallAtBlock(network, block, [
    [
      { ...readOf(contract, 'ENTRY_POINT', []), reverted: zeroAddress },
      { ...readOf(contract, 'token', []), reverted: zeroAddress },
    ],
  ])
  const matches =
    settlementToken !== undefined &&
    isAddressEqual(entryPointThere, entryPoint) &&
    isAddressEqual(tokenThere, settlementToken.address)
  if (matches) return
  throw new LanyardError('NO_SMART_BALANCE', {
    message: `${name}: ${contract.address} is not a SmartBalance for this EntryPoint and this token.`,
    details: { network: network.chainId },
  })
}
