import { type RawBuilder, sql } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'
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

/** A table whose rows name operations by `user_op_hash`. The features that have such tables register them. */
export type OperationReference = {
  [Table in keyof Database]: Database[Table] extends { user_op_hash: string | null } ? Table : never
}[Exclude<keyof Database, 'operations' | 'archived_operations' | 'every_operation'>]

/** For a row of operations: no row of these tables names it. */
export const isNamedNowhere = (references: readonly OperationReference[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [
      sql`true`,
      ...references.map(
        (table) =>
          sql`not exists (select from ${sql.table(table)} as naming where naming.user_op_hash = operations.user_op_hash)`,
      ),
    ],
    sql` and `,
  )}`

/**
 * Whether an operation's calls contain the selector of removeOwner or swapOwner (Safe 1.4.1). Other calls may contain the
 * same bytes. As the indices `operations_removing_owners` and `archived_operations_removing_owners` have it.
 */
export const mayRemoveOwners = sql<boolean>`
  (user_op->>'callData' like '%f8dc5dd9%' or user_op->>'callData' like '%e318b52b%')`
