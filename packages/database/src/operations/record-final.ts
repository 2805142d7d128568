import { type Kysely, sql } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'

/** Marks the included operations of a network's final blocks as final. */
export async function finalizeBlocks(
  database: Kysely<Database>,
  network: number,
  blockHashes: readonly string[],
): Promise<void> {
  await database
    .updateTable('operations')
    .set({ final: true, next_attempt_at: null, sent_by: null })
    .where('network', '=', network)
    .where('state', '=', sql.lit('included'))
    .where('final', '=', sql.lit(false))
    .where('block_hash', 'in', blockHashes)
    .execute()
}

/** The end of an operation that was not included. The reason is set only if it differs from the row's. */
export type OperationEnd = { readonly state: 'dropped' | 'expired' } & Partial<
  Pick<OperationRow, 'reason_code' | 'reason_message'>
>

/**
 * `→ dropped
 * expired`, final: it is not included and never will be. Writes nothing if the row has changed in the
 * meantime.
 */
export async function endOperation(
  database: Kysely<Database>,
  row: OperationRow,
  end: OperationEnd,
): Promise<void> {
  await database
    .updateTable('operations')
    .set({ ...end, final: true, next_attempt_at: null, sent_by: null })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .where('attempts', '=', row.attempts)
    .execute()
}

/** The operation was rejected here and nobody else accepted it, so it becomes an unsigned build again. */
export async function forgetSignature(database: Kysely<Database>, userOpHash: string): Promise<void> {
  await database
    .updateTable('operations')
    .set({ signed_at: null })
    .where('user_op_hash', '=', userOpHash)
    .where('state', '=', 'built')
    .where('signature', 'is', null)
    .execute()
}
