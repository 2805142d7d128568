import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { type Database, dropFollowers, type OperationRow } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { nextAttempt } from '../../../platform/backoff.ts'
import type { PayerHooks } from '../payer.ts'
import type { ConfirmedRejection } from './confirmed-rejection.ts'

/** Refusals that neither funds nor waiting cure, unless an earlier operation is still to come. */
const lasting: readonly ErrorCode[] = ['INVALID_SIGNATURE', 'OPERATION_REFUSED']

export interface Delivery extends Pick<PayerHooks, 'onUnsent'> {
  /** Nobody else can have delivered it before: what is refused now was never under way. */
  readonly isFirst: boolean
  readonly now: Date
}

/**
 * Writes down a refusal: back to `built` (a first delivery), on to `dropped` (it can never be included), or it waits.
 *
 * @param row - as it was delivered
 */
export async function recordRefusal(
  database: Kysely<Database>,
  row: OperationRow,
  { refusal, isTaken }: ConfirmedRejection,
  { isFirst, now, onUnsent }: Delivery,
): Promise<void> {
  const reason = { reason_code: refusal.code, reason_message: refusal.message, next_attempt_at: null }
  if (isFirst && refusal.code !== 'REBUILD') return recordUnsent(database, row, reason, onUnsent)
  const isLasting = lasting.includes(refusal.code) && !(await followsAnother(database, row))
  if (refusal.code === 'REBUILD' || isLasting) {
    return database.transaction().execute(async (transaction) => {
      const dropped = await updateDelivered(transaction, row)
        .set({ ...reason, state: 'dropped' })
        .returning('user_op_hash')
        .executeTakeFirst()
      if (dropped && !isTaken) await dropFollowers(transaction, row)
    })
  }
  // It was under way before, so it stays: what it lacks now (funds, fees, what is before it) may come.
  await updateDelivered(database, row)
    .set({ ...reason, next_attempt_at: nextAttempt(row.attempts - 1, now) })
    .execute()
}

/** An operation as it was delivered: not included meanwhile, nor delivered by another process. */
const updateDelivered = (connection: Kysely<Database>, { user_op_hash, state, attempts }: OperationRow) =>
  connection
    .updateTable('operations')
    .where('user_op_hash', '=', user_op_hash)
    .where('state', '=', state)
    .where('attempts', '=', attempts)

/**
 * Whether the account has an older operation on its way, on any lane: after a reorg that may be the one that deploys it,
 * or that adds the owner who signed this one.
 */
async function followsAnother(database: Kysely<Database>, row: OperationRow): Promise<boolean> {
  const earlier = await database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('state', 'in', ['submitting', 'submitted'])
    .where('signed_at', '<=', row.signed_at)
    .executeTakeFirst()
  return earlier !== undefined
}

/** It was never under way: its nonce is free, the build waits for another signature. */
async function recordUnsent(
  database: Kysely<Database>,
  row: OperationRow,
  reason: Pick<OperationRow, 'reason_code' | 'reason_message' | 'next_attempt_at'>,
  onUnsent: Delivery['onUnsent'],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const unsent = await updateDelivered(transaction, row)
      // When it was signed stays: its signature is out, and another bundler may include it.
      .set({ ...reason, state: 'built', signature: null })
      .returning('user_op_hash')
      .executeTakeFirst()
    if (unsent) await onUnsent(transaction, row)
  })
}

/** Nobody answered: it waits, and is sent again. */
export async function recordAttempt(
  database: Kysely<Database>,
  row: OperationRow,
  error: unknown,
  now: Date,
): Promise<void> {
  await updateDelivered(database, row)
    .set({
      next_attempt_at: nextAttempt(row.attempts - 1, now),
      reason_code: error instanceof LanyardError ? error.code : 'INTERNAL',
      reason_message: 'The bundler did not answer; it is sent again.',
    })
    .execute()
}
