import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

interface Before {
  readonly before: Date
  /** Rows that one statement changes. */
  readonly limit: number
}

/**
 * Empties the signed bytes of old transactions whose nonce is used: they are never sent again.
 *
 * @returns the number of transactions
 */
export async function purgeRawTransactions(
  database: Kysely<Database>,
  { before, limit }: Before,
): Promise<number> {
  const purged = await database
    .updateTable('relayer_transactions')
    .set({ raw: '' })
    .where(
      'txn_hash',
      'in',
      database
        .selectFrom('relayer_transactions')
        .select('txn_hash')
        .where('raw', '<>', '')
        .where('state', '<>', 'live')
        .where('created_at', '<', before)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(purged.numUpdatedRows)
}

/**
 * Deletes the daily budgets of past days. Totals stay, and so do days from which a build that nobody has submitted may
 * still take.
 *
 * @returns the number of rows
 */
export async function purgeSponsorshipDays(
  database: Kysely<Database>,
  { before, limit }: Before,
): Promise<number> {
  const deleted = await database
    .deleteFrom('sponsorship_days')
    .where(
      sql<boolean>`ctid = any (array(
        select ctid from sponsorship_days where day <> 'total' and day < ${before.toISOString().slice(0, 10)}
          and promises = 0 limit ${limit}))`,
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/**
 * Deletes suspensions of sponsored callers that ended.
 *
 * @returns the number of rows
 */
export async function purgeSuspensions(
  database: Kysely<Database>,
  { before, limit }: Before,
): Promise<number> {
  const deleted = await database
    .deleteFrom('sponsorship_suspensions')
    .where(
      sql<boolean>`ctid = any (array(
        select ctid from sponsorship_suspensions where until < ${before}::timestamptz limit ${limit}))`,
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
