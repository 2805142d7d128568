import type { Kysely, Transaction } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'

/** Identifies an operation and its nonce. */
export type OperationPosition = Pick<
  OperationRow,
  'user_op_hash' | 'account' | 'network' | 'nonce_key' | 'nonce_sequence'
>

/**
 * Drops the operations after one that can no longer be included on its lane: they need its nonce to be used,
 * unless a replacement uses it. If one is included nevertheless, the chain's event records it.
 */
export async function dropFollowers(
  transaction: Transaction<Database>,
  row: OperationPosition,
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set({
      state: 'dropped',
      reason_code: 'REBUILD',
      reason_message: `It follows ${row.user_op_hash}, which can no longer be included.`,
      next_attempt_at: null,
    })
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('nonce_key', '=', row.nonce_key)
    .where('nonce_sequence', '>', row.nonce_sequence)
    .where('state', 'in', ['submitting', 'submitted'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operations as replacement')
            .select('replacement.user_op_hash')
            .where('replacement.account', '=', row.account)
            .where('replacement.network', '=', row.network)
            .where('replacement.nonce_key', '=', row.nonce_key)
            .where('replacement.nonce_sequence', '=', row.nonce_sequence)
            .where('replacement.state', 'in', ['submitting', 'submitted', 'included']),
        ),
      ),
    )
    .execute()
}

/** `→ dropped`: the event of another operation with its nonce was seen. A reorg may still undo it. */
export async function dropReplaced(database: Kysely<Database>, row: OperationRow): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      state: 'dropped',
      reason_code: 'REPLACED',
      reason_message: 'Its nonce was used by another operation.',
      next_attempt_at: null,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .where('final', '=', false)
    .execute()
}

const deployedMeanwhile = {
  reason_code: 'REBUILD',
  reason_message: 'Its account was deployed meanwhile.',
} as const

/** Whether {@link dropDeployed} has dropped it. */
export const isDroppedAsDeployed = ({ state, reason_message }: OperationRow): boolean =>
  state === 'dropped' && reason_message === deployedMeanwhile.reason_message

/**
 * `submitted → dropped`: it would deploy its account, which somebody else has deployed. Those that follow it are dropped
 * too. A reorg may still undo it.
 */
export async function dropDeployed(database: Kysely<Database>, row: OperationRow): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const dropped = await transaction
      .updateTable('operations')
      .set({ ...deployedMeanwhile, state: 'dropped', next_attempt_at: null })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('state', '=', 'submitted')
      .where('attempts', '=', row.attempts)
      .where('final', '=', false)
      .returning('user_op_hash')
      .executeTakeFirst()
    if (dropped) await dropFollowers(transaction, row)
  })
}

/**
 * `dropped → submitted`: a reorg removed the deployment by somebody else. It stays dropped if its owner has signed another
 * operation on this network since: that one may do the same.
 */
export async function restoreUndeployed(
  database: Kysely<Database>,
  row: OperationRow,
  now: Date,
): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      state: 'submitted',
      reason_code: 'REORGED',
      reason_message: "A reorg removed its account's deployment by somebody else. It will be sent again.",
      next_attempt_at: now,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', 'dropped')
    .where('reason_message', '=', deployedMeanwhile.reason_message)
    .where('final', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operations as later')
            .select('later.user_op_hash')
            .where('later.account', '=', row.account)
            .where('later.network', '=', row.network)
            .where('later.signed_at', '>', row.signed_at)
            .where('later.state', 'in', ['submitting', 'submitted', 'included']),
        ),
      ),
    )
    .execute()
}
