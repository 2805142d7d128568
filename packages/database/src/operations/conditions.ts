import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'

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
