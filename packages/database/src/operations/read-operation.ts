import { sql } from 'kysely'
import type { OperationRow } from '../schema.ts'
import { batched, perDatabase } from '../statements.ts'

/** A row, and its account's number of signatures at that time. */
export interface ReadOperation extends OperationRow {
  readonly account_signatures: number
}

/** Reads a whole row, with its call data, by its hash. Concurrent reads share one statement. */
export const readOperation = perDatabase((db) =>
  batched(async (hashes: readonly string[]): Promise<(ReadOperation | undefined)[]> => {
    const read = (table: 'operations' | 'every_operation', some: readonly string[]) =>
      db
        .selectFrom(`${table} as operations` as 'operations') // the view has the same columns
        .innerJoin('accounts', 'accounts.address', 'operations.account')
        .selectAll('operations')
        .select('accounts.signatures as account_signatures')
        .where('user_op_hash', '=', sql<string>`any(${some}::text[])`)
        .execute()
    const rows = await read('operations', hashes)
    const byHash = new Map(rows.map((row) => [row.user_op_hash, row]))
    const missing = hashes.filter((hash) => !byHash.has(hash))
    // Few ask for operations of past months, and they are in many partitions.
    for (const row of missing.length === 0 ? [] : await read('every_operation', missing))
      byHash.set(row.user_op_hash, row)
    return hashes.map((hash) => byHash.get(hash))
  }),
)
