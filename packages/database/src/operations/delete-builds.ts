import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'

/** Tables that refer to operations. A build that was to replace a deleted one loses that reference. */
const references = [
  ['orders', 'user_op_hash'],
  ['order_operations', 'user_op_hash'],
  ['sponsorships', 'user_op_hash'],
  ['relayer_transaction_operations', 'user_op_hash'],
] as const satisfies readonly (readonly [keyof Database, string])[]

const isNamedNowhere = ({ and }: ExpressionBuilder<Database, 'operations'>) =>
  and(
    references.map(([table, column]): RawBuilder<boolean> => {
      const name = sql.ref(`naming.${column}`)
      return sql<boolean>`not exists (
        select from ${sql.table(table)} as naming where ${name} = operations.user_op_hash
      )`
    }),
  )

/**
 * Deletes builds that were not signed before the given time. The identical operation may be built again in
 * the meantime: rows that are locked or have changed since stay.
 *
 * @returns the number deleted, at most `limit`
 */
export async function deleteBuilds(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const builds = database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('signature', 'is', null)
    // An operation that was rejected here may still be bundled elsewhere, or already was.
    .where('signed_at', 'is', null)
    .where('build_expires_at', '<=', before)
    .where(isNamedNowhere)
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const { numDeletedRows } = await database
    .deleteFrom('operations')
    .where('user_op_hash', 'in', builds)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
