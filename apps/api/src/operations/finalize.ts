import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import type { OperationDependencies } from './dependencies.ts'
import { readNoncesUsed } from './nonce-positions.ts'

/**
 * Marks as final what no reorg can change any more: inclusions in final blocks; operations whose nonce a final
 * block shows used by another; first operations of accounts that a final block shows deployed; operations whose
 * validity a final block is past.
 *
 * @param rows - unfinished rows, read after this pass looked for reorgs and inclusions
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function finalize(
  { database }: OperationDependencies,
  network: Network,
  rows: readonly OperationRow[],
): Promise<void> {
  if (rows.length === 0) return
  const blockNumber = await network.finalizedBlock()
  const included = rows.filter(
    (row) => row.state === 'included' && BigInt(row.block_number ?? 0) <= blockNumber,
  )
  const overtaken = await readOvertaken(network, rows, blockNumber)
  const expired = await findExpired(network, rows, blockNumber)

  const settle = async (row: OperationRow, state: OperationRow['state']) => {
    let query = database
      .updateTable('operations')
      .set({ state, final: true, next_attempt_at: null })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('state', '=', row.state)
    if (row.block_hash !== null) query = query.where('block_hash', '=', row.block_hash)
    await query.execute()
  }
  for (const row of included) await settle(row, 'included')
  for (const row of overtaken) await settle(row, 'dropped')
  for (const row of expired) await settle(row, 'expired')
}

async function readOvertaken(network: Network, rows: readonly OperationRow[], blockNumber: bigint) {
  const dropped = rows.filter(({ state }) => state === 'dropped')
  const used = await readNoncesUsed(network, dropped, { blockNumber })
  const deployed = await Promise.all(
    dropped.map(async (row) => {
      if (!row.deploys || used.has(row)) return false
      const code = await network.call(
        (client) => client.getCode({ address: row.account as Address, blockNumber }), // the column holds 0x and 40 digits
      )
      return code !== undefined
    }),
  )
  return dropped.filter((row, index) => used.has(row) || deployed[index])
}

async function findExpired(network: Network, rows: readonly OperationRow[], blockNumber: bigint) {
  const bounded = rows.filter(
    ({ state, valid_until }) => valid_until > 0 && (state === 'submitting' || state === 'submitted'),
  )
  if (bounded.length === 0) return []
  const { timestamp } = await network.call((client) => client.getBlock({ blockNumber }))
  return bounded.filter(({ valid_until }) => BigInt(valid_until) < timestamp)
}
