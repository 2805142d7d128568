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
 * @returns how many that are
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function finalize(
  { database, checkpoint, now }: OperationDependencies,
  network: Network,
  rows: readonly OperationRow[],
): Promise<number> {
  if (rows.length === 0) return 0
  const blockNumber = await network.finalizedBlock()
  const included = rows.filter(
    (row) => row.state === 'included' && BigInt(row.block_number ?? 0) <= blockNumber,
  )
  const lapsed = await findLapsed(network, rows, blockNumber)
  const isOld = isOlderThan(longestSilence, now())
  const doubtful = rows.filter(
    (row) => row.state !== 'included' && (row.state === 'dropped' || isOld(row) || lapsed.has(row)),
  )
  const used = await readNoncesUsed(network, doubtful, { blockNumber })
  const unused = doubtful.filter((row) => !used.has(row))
  const overtaken = [
    ...[...used].filter((row) => isReplaced(row) || isOld(row)),
    ...(await findDeployed(network, unused, blockNumber)),
  ]
  const { dropped = [], expired = [] } = Object.groupBy(
    unused.filter((row) => lapsed.has(row) && !overtaken.includes(row)),
    ({ state }) => (state === 'dropped' ? state : 'expired'),
  )

  const settle = async (row: OperationRow, state: OperationRow['state']) => {
    let query = database
      .updateTable('operations')
      .set({ state, final: true, next_attempt_at: null })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('state', '=', row.state)
    if (row.block_hash !== null) query = query.where('block_hash', '=', row.block_hash)
    await checkpoint('final:block-read')
    await query.execute()
    await checkpoint('final:recorded')
  }
  for (const row of included) await settle(row, 'included')
  for (const row of [...overtaken, ...dropped]) await settle(row, 'dropped')
  for (const row of expired) await settle(row, 'expired')
  return included.length + overtaken.length + dropped.length + expired.length
}

/**
 * Milliseconds after which a used nonce is believed to be lost although no event says to whom: a node's logs may come
 * later than its state, but not by so much, and a contract that raises a nonce by itself leaves none.
 */
const longestSilence = 60 * 60_000

const isOlderThan =
  (milliseconds: number, now: Date) =>
  ({ signed_at }: OperationRow): boolean =>
    signed_at !== null && now.getTime() - signed_at.getTime() > milliseconds

/** The event of another operation with its nonce was seen. */
const isReplaced = ({ state, reason_code }: OperationRow) => state === 'dropped' && reason_code === 'REPLACED'

/** Dropped first operations of accounts that are deployed by then: with their nonce unused, they never came. */
async function findDeployed(network: Network, rows: readonly OperationRow[], blockNumber: bigint) {
  const deploying = rows.filter(({ state, deploys }) => state === 'dropped' && deploys)
  const codes = await Promise.all(
    deploying.map((row) =>
      network.call(
        (client) => client.getCode({ address: row.account as Address, blockNumber }), // the column holds 0x and 40 digits
      ),
    ),
  )
  return deploying.filter((_, index) => codes[index] !== undefined)
}

/** Operations that are not included and whose validity the block is past. */
async function findLapsed(
  network: Network,
  rows: readonly OperationRow[],
  blockNumber: bigint,
): Promise<ReadonlySet<OperationRow>> {
  const bounded = rows.filter(({ state, valid_until }) => valid_until > 0 && state !== 'included')
  if (bounded.length === 0) return new Set()
  const { timestamp } = await network.call((client) => client.getBlock({ blockNumber }))
  return new Set(bounded.filter(({ valid_until }) => BigInt(valid_until) < timestamp))
}
