import type { AgreedBlock, Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
import type { TrackedOrder } from './tracked-orders.ts'

/**
 * Finds the orders whose nonce EntryPoint has used at a block: for one of their operations, or for another
 * operation.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readUsedNonces(
  network: Network,
  orders: readonly TrackedOrder[],
  block: AgreedBlock,
): Promise<ReadonlySet<TrackedOrder>> {
  if (orders.length === 0) return new Set()
  const entryPoint = { address: network.config.entryPoint, abi: entryPoint07Abi } as const
  const [nonces] = await multicallAtBlock(network, block, [
    orders.map(
      ({ order }) => readOf(entryPoint, 'getNonce', [order.account as Address, order.nonce_key]), // the column holds 0x and 40 digits
    ),
  ])
  return new Set(
    orders.filter(({ order }, index) => BigInt.asUintN(64, nonces[index] ?? 0n) > order.nonce_sequence),
  )
}
