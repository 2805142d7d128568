import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../schema.ts'
import { isNamedNowhere, type OperationReference } from './read-operation.ts'

interface PurgedBuilds {
  readonly before: Date
  readonly limit: number
  /** A build that they name stays. */
  readonly references: readonly OperationReference[]
}

/**
 * Deletes builds that were not signed before the given time. The identical operation may be built again in
 * the meantime: rows that are locked or have changed since stay. A build that was to replace a deleted one loses that
 * reference.
 *
 * @returns the number deleted, at most `limit`
 */
export async function deleteBuilds(
  database: Kysely<Database>,
  { before, limit, references }: PurgedBuilds,
): Promise<number> {
  const builds = database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('signature', 'is', null)
    // An operation that was rejected here may still be bundled elsewhere, or already was.
    .where('signed_at', 'is', null)
    .where('build_expires_at', '<=', before)
    .where(isNamedNowhere(['relayer_transaction_operations', ...references]))
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const { numDeletedRows } = await database
    .deleteFrom('operations')
    .where('user_op_hash', 'in', builds)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes the builds of an account for which nothing was signed, when the account itself goes. */
export async function deleteBuildsOf(transaction: Transaction<Database>, account: string): Promise<void> {
  await transaction
    .deleteFrom('operations')
    .where('account', '=', account)
    .where('signature', 'is', null)
    .where('signed_at', 'is', null)
    .execute()
}
