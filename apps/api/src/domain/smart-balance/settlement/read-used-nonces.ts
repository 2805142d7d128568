import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { TrackedOrder } from './tracked-orders.ts'

/**
 * Finds the orders whose nonce EntryPoint has used, at the head or at a block: for one of their operations,
 * or for another operation.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readUsedNonces(
  network: Network,
  orders: readonly TrackedOrder[],
  at: { readonly blockNumber?: bigint } = {},
): Promise<ReadonlySet<TrackedOrder>> {
  if (orders.length === 0) return new Set()
  const nonces = await network.call((client) =>
    client.multicall({
      allowFailure: false,
      batchSize: 0, // one request for all of them
      ...at,
      contracts: orders.map(
        ({ order }) =>
          ({
            address: network.config.entryPoint,
            abi: entryPoint07Abi,
            functionName: 'getNonce',
            args: [order.account as Address, order.nonce_key], // the column holds 0x and 40 digits
          }) as const,
      ),
    }),
  )
  return new Set(
    orders.filter(({ order }, index) => BigInt.asUintN(64, nonces[index] ?? 0n) > order.nonce_sequence),
  )
}
