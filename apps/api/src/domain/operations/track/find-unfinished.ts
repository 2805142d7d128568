import type { Database, OperationRow } from '@lanyard/database'
import type { SeenBlock } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Hash } from 'viem'
import { createSweep, type Sweep } from '../../../platform/sweep.ts'

/** Number of operations of a network that one pass checks; the next pass continues after them. */
export const pageSize = 500

/** Maximum number of operations that one pass sends again, in total and per account. */
const maxDeliveries = 64
const maxDeliveriesOfAccount = 4

/** Signed operations whose state can still change. Another bundler may include one that was rejected here. */
const unfinished = (database: Kysely<Database>, network: number) =>
  database
    .selectFrom('operations')
    .where('network', '=', network)
    .where('final', '=', sql.lit(false))
    .where('signed_at', 'is not', null)

const open = (database: Kysely<Database>, network: number) =>
  unfinished(database, network).where('state', '<>', sql.lit('included'))

const included = (database: Kysely<Database>, network: number) =>
  unfinished(database, network).where('state', '=', sql.lit('included'))

/**
 * Whether a network has such operations, or a transaction that may still be mined. A relayer's own call, such as the
 * cancellation of a recovery, contains no operation, and on a quiet network nothing else asks whether it is stuck. Reads at
 * most one row of each kind.
 */
export async function hasUnfinished(database: Kysely<Database>, network: number): Promise<boolean> {
  const one = await open(database, network)
    .select('user_op_hash')
    .limit(1)
    .unionAll(({ parens }) => parens(included(database, network).select('user_op_hash').limit(1)))
    .unionAll(({ parens, selectFrom }) =>
      parens(
        selectFrom('relayer_transactions')
          .select('txn_hash as user_op_hash')
          .where('network', '=', network)
          .where('state', '=', sql.lit('live'))
          .limit(1),
      ),
    )
    .executeTakeFirst()
  return one !== undefined
}

/** Iterates over the operations of a network that are neither included nor final. */
export const sweepOpen = (database: Kysely<Database>, network: number): Sweep<OperationRow> =>
  createSweep(pageSize, (after, size) => {
    const page = open(database, network).selectAll().orderBy('signed_at').orderBy('user_op_hash').limit(size)
    if (!after) return page.execute()
    return page
      .where(sql<boolean>`(signed_at, user_op_hash) > (${after.signed_at}, ${after.user_op_hash})`)
      .execute()
  })

/** Reads the current rows of those operations that are still open. */
export async function readOpen(
  database: Kysely<Database>,
  network: number,
  rows: readonly OperationRow[],
): Promise<OperationRow[]> {
  if (rows.length === 0) return []
  const hashes = rows.map(({ user_op_hash }) => user_op_hash)
  return open(database, network).selectAll().where('user_op_hash', 'in', hashes).execute()
}

/** The blocks of a network's included operations that are not final. */
export async function findSeenBlocks(database: Kysely<Database>, network: number): Promise<SeenBlock[]> {
  const rows = await included(database, network)
    .select(['block_number', 'block_hash'])
    .distinct()
    .orderBy('block_number')
    .execute()
  // A database constraint guarantees both values for an included operation.
  return rows.map(({ block_number, block_hash }) => ({ number: block_number ?? 0, hash: block_hash as Hash }))
}

/** Included operations of some blocks, one page of them. */
export const findIncludedIn = (
  database: Kysely<Database>,
  network: number,
  blocks: readonly SeenBlock[],
): Promise<OperationRow[]> =>
  included(database, network)
    .selectAll()
    .where(
      'block_hash',
      'in',
      blocks.map(({ hash }) => hash),
    )
    .limit(pageSize)
    .execute()

/**
 * Finds the operations that are due to be sent again. Half of them are those with the fewest attempts, so
 * that operations that fail repeatedly do not delay others. The other half are those that have waited
 * longest, so that each gets its turn. The number per account is limited.
 *
 * @param isForgetful - whether the bundler may forget an operation: operations without a next attempt are
 * then due, too
 */
export async function findDue(
  database: Kysely<Database>,
  network: number,
  { now, isForgetful }: { readonly now: Date; readonly isForgetful: boolean },
): Promise<OperationRow[]> {
  const due = open(database, network)
    .select(['user_op_hash', 'attempts', 'next_attempt_at'])
    .select(
      sql<number>`row_number() over (partition by account order by next_attempt_at nulls first)`.as('turn'),
    )
    .where('state', 'in', ['submitting', 'submitted'])
    .where((eb) =>
      isForgetful
        ? eb.or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', now)])
        : eb('next_attempt_at', '<=', now),
    )
  const first = (order: 'attempts' | 'next_attempt_at') =>
    database
      .selectFrom(due.as('due'))
      .select('user_op_hash')
      .where('turn', '<=', maxDeliveriesOfAccount)
      .orderBy(order, (by) => (order === 'next_attempt_at' ? by.asc().nullsFirst() : by.asc()))
      .orderBy('next_attempt_at')
      .limit(maxDeliveries / 2)
  return open(database, network)
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('user_op_hash', 'in', first('attempts')),
        eb('user_op_hash', 'in', first('next_attempt_at')),
      ]),
    )
    .orderBy('signed_at')
    .execute()
}
