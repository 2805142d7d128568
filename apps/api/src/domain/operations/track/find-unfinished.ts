import type { Database, OperationRow } from '@lanyard/database'
import type { SeenBlock } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Hash } from 'viem'
import { createSweep, type Sweep } from '../../../platform/sweep.ts'

/** One pass looks at this many operations of a network; the next pass goes on after them. */
export const pageSize = 500

/** One pass delivers at most so many operations again, and so many of one account. */
const maxDeliveries = 64
const maxDeliveriesOfAccount = 4

/** Signed operations whose state can still change. One that was refused may be included by another bundler. */
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

/** Whether a network has any of them; reads a row of each kind at most. */
export async function hasUnfinished(database: Kysely<Database>, network: number): Promise<boolean> {
  const one = await open(database, network)
    .select('user_op_hash')
    .limit(1)
    .unionAll(({ parens }) => parens(included(database, network).select('user_op_hash').limit(1)))
    .executeTakeFirst()
  return one !== undefined
}

/** Goes through the operations of a network that are neither included nor final. */
export const sweepOpen = (database: Kysely<Database>, network: number): Sweep<OperationRow> =>
  createSweep(pageSize, (after, size) => {
    const page = open(database, network).selectAll().orderBy('signed_at').orderBy('user_op_hash').limit(size)
    if (!after) return page.execute()
    return page
      .where(sql<boolean>`(signed_at, user_op_hash) > (${after.signed_at}, ${after.user_op_hash})`)
      .execute()
  })

/** Those of some operations that are still open, as they are now. */
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
  // A constraint: an included operation has both.
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
 * What is due for another delivery. Half of it are those that were tried least, so that operations which fail again and
 * again hold up no others; half are those that wait longest, so that each of them comes up. One account has few of them.
 *
 * @param isForgetful - whether the bundler is one that may forget an operation: then those without a time are due, too
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
