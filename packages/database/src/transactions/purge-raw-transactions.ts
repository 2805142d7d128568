import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'

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
