import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Inclusion } from './inclusion.ts'

/**
 * Writes an inclusion: the operation becomes `included`, and what competed for its nonce is dropped, in one
 * statement. A row that is included for good, or that says the same already, stays as it is.
 */
export async function recordInclusion(database: Kysely<Database>, inclusion: Inclusion): Promise<void> {
  await database
    .with('included', (db) =>
      db
        .updateTable('operations')
        .set({ ...inclusionColumns(inclusion), final: false })
        .where('user_op_hash', '=', inclusion.userOpHash)
        // An end that we set is no end when the chain says otherwise.
        .where((where) =>
          where.or([where('final', '=', false), where('state', 'in', ['dropped', 'expired'])]),
        )
        .where('signed_at_block', 'is not', null)
        .where((where) =>
          where.or([where('state', '<>', 'included'), where('block_hash', '<>', inclusion.blockHash)]),
        )
        .returning(['account', 'network', 'nonce_key', 'nonce_sequence']),
    )
    .updateTable('operations')
    .from('included')
    .set(lostTo(inclusion.userOpHash))
    .whereRef('operations.account', '=', 'included.account')
    .whereRef('operations.network', '=', 'included.network')
    .whereRef('operations.nonce_key', '=', 'included.nonce_key')
    .whereRef('operations.nonce_sequence', '=', 'included.nonce_sequence')
    .where('operations.user_op_hash', '<>', inclusion.userOpHash)
    .where('operations.final', '=', false)
    .where('operations.state', 'in', ['submitting', 'submitted'])
    .execute()
}

const lostTo = (userOpHash: string) => ({
  state: 'dropped' as const,
  reason_code: 'REPLACED',
  reason_message: `Its nonce was used by ${userOpHash}.`,
})

/** What an inclusion makes of an operation's row. */
export const inclusionColumns = (inclusion: Inclusion) => ({
  state: 'included' as const,
  txn_hash: inclusion.txnHash,
  block_number: Number(inclusion.blockNumber),
  block_hash: inclusion.blockHash,
  included_at: inclusion.timestamp,
  success: inclusion.success,
  gas_cost: inclusion.gasCost,
  reason_code: inclusion.success ? null : 'EXECUTION_REVERTED',
  reason_message: inclusion.revertReason ?? null,
  next_attempt_at: null,
})

/** The nonce of an included operation is used: others with it can no longer come. */
export async function dropCompetitors(
  transaction: Transaction<Database>,
  row: Pick<OperationRow, 'user_op_hash' | 'account' | 'network' | 'nonce_key' | 'nonce_sequence'>,
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set(lostTo(row.user_op_hash))
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('nonce_key', '=', row.nonce_key)
    .where('nonce_sequence', '=', row.nonce_sequence)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('final', '=', false)
    .where('state', 'in', ['submitting', 'submitted'])
    .execute()
}

/**
 * A reorg took the operation's block: it is waiting again, and the worker sends the identical operation. One that another
 * bundler included has no signature here to send.
 */
export async function recordReorg(database: Kysely<Database>, row: OperationRow, now: Date): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      state: row.signature === null ? 'dropped' : 'submitted',
      txn_hash: null,
      block_number: null,
      block_hash: null,
      included_at: null,
      success: null,
      gas_cost: null,
      reason_code: 'REORGED',
      reason_message: 'A reorg removed its block; it is sent again.',
      next_attempt_at: now,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', 'included')
    .where('final', '=', false)
    .where('block_hash', '=', row.block_hash)
    .execute()
}
