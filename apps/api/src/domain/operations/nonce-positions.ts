import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

type At = { readonly blockNumber?: bigint }

/**
 * Whether the chain has used each operation's nonce, at the head or at a block: if so, it or another
 * operation with the same nonce is included.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readNoncesUsed(
  network: Network,
  rows: readonly OperationRow[],
  at: At = {},
): Promise<ReadonlySet<OperationRow>> {
  if (rows.length === 0) return new Set()
  const nonces = await network.call((client) =>
    client.multicall({
      allowFailure: false,
      batchSize: 0, // one request for all of them
      ...at,
      contracts: rows.map(
        (row) =>
          ({
            address: row.entry_point as Address, // the column holds an address
            abi: entryPoint07Abi,
            functionName: 'getNonce',
            args: [row.account as Address, row.nonce_key], // the column holds 0x and 40 digits
          }) as const,
      ),
    }),
  )
  const sequenceOf = (nonce: bigint | undefined) => (nonce ?? 0n) & (2n ** 64n - 1n)
  return new Set(rows.filter((row, index) => sequenceOf(nonces[index]) > row.nonce_sequence))
}
