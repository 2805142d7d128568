import { sql } from 'kysely'
import { batched, perDatabase } from '../batched.ts'
import type { OperationRow } from '../schema.ts'

/** A row, and its account's number of signatures at that time. */
export interface ReadOperation extends OperationRow {
  readonly account_signatures: number
}

/** Reads a whole row, with its call data, by its hash. Concurrent reads share one statement. */
export const readOperation = perDatabase((db) =>
  batched(async (hashes: readonly string[]): Promise<(ReadOperation | undefined)[]> => {
    const rows = await db
      .selectFrom('operations')
      .innerJoin('accounts', 'accounts.address', 'operations.account')
      .selectAll('operations')
      .select('accounts.signatures as account_signatures')
      .where('user_op_hash', '=', sql<string>`any(${hashes}::text[])`)
      .execute()
    const byHash = new Map(rows.map((row) => [row.user_op_hash, row]))
    return hashes.map((hash) => byHash.get(hash))
  }),
)
