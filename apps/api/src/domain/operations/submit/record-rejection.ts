import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import {
  type Database,
  nextAttempt,
  type OperationRow,
  recordRejection,
  recordUnsent,
  scheduleDelivery,
} from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { PayerHooks } from '../payer.ts'
import type { ConfirmedRejection } from './confirmed-rejection.ts'

/** Rejections that neither funds nor waiting can resolve, unless an earlier operation is pending. */
const lasting: readonly ErrorCode[] = ['INVALID_SIGNATURE', 'OPERATION_REFUSED']

export interface Delivery extends Pick<PayerHooks, 'onUnsent'> {
  /** True when no other process can have sent it before: a rejected operation was then never pending. */
  readonly isFirst: boolean
  readonly now: Date
}

/**
 * Records a rejection: back to `built` (first attempt), on to `dropped` (it can never be included), or it
 * waits.
 *
 * @param row - as it was sent
 */
export async function recordRefusal(
  database: Kysely<Database>,
  row: OperationRow,
  { refusal, isTaken }: ConfirmedRejection,
  { isFirst, now, onUnsent }: Delivery,
): Promise<void> {
  const reason = { reason_code: refusal.code, reason_message: refusal.message }
  if (isFirst && refusal.code !== 'REBUILD') {
    // The operation was never pending.
    return database.transaction().execute(async (transaction) => {
      if (await recordUnsent(transaction, row, reason)) await onUnsent(transaction, row)
    })
  }
  const isLasting = lasting.includes(refusal.code) && !(await followsAnother(database, row))
  if (refusal.code === 'REBUILD' || isLasting) {
    return database
      .transaction()
      .execute((transaction) => recordRejection(transaction, row, { ...reason, isTaken }))
  }
  // It was pending before, so it stays: what it lacks now (funds, fees, an earlier operation) may still come.
  await scheduleDelivery(database, row, { ...reason, next_attempt_at: nextAttempt(row.attempts - 1, now) })
}

/**
 * Whether the account has an older pending operation, on any lane: after a reorg, that one may deploy the
 * account, or add the owner who signed this one.
 */
async function followsAnother(database: Kysely<Database>, row: OperationRow): Promise<boolean> {
  const earlier = await database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('final', '=', sql.lit(false))
    .where('signature', 'is not', null)
    .where('state', '<>', sql.lit('included'))
    .where('state', 'in', ['submitting', 'submitted'])
    .where('signed_at', '<=', row.signed_at)
    .executeTakeFirst()
  return earlier !== undefined
}

/** Without an answer, the operation waits and is sent again: not before a bundler that limits requests allows it. */
export async function recordAttempt(
  database: Kysely<Database>,
  row: OperationRow,
  error: unknown,
  now: Date,
): Promise<void> {
  const { retryAfter = 0, reason } = (error instanceof LanyardError && error.details) || {}
  const soonest = now.getTime() + Number(retryAfter) * 1_000
  const isLimited = reason === 'PROVIDER_LIMIT'
  await scheduleDelivery(database, row, {
    next_attempt_at: new Date(Math.max(nextAttempt(row.attempts - 1, now).getTime(), soonest)),
    reason_code: error instanceof LanyardError ? error.code : 'INTERNAL',
    reason_message: `The bundler ${isLimited ? 'limits the number of requests' : 'did not answer'}. The operation will be sent again.`,
  })
}
