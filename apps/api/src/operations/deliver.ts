import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { returnOrder } from '../orders/submit-order.ts'
import type { OperationDependencies } from './dependencies.ts'
import { readNonceUse } from './inclusion.ts'
import { readNoncesUsed } from './nonce-positions.ts'
import { toSignedOperation } from './signed-operation.ts'

/** Nobody answered, so nobody refused: the operation may have arrived, and is delivered again. */
const unanswered: readonly ErrorCode[] = [
  'BUNDLER_UNAVAILABLE',
  'BUNDLER_FAILED',
  'NETWORK_UNAVAILABLE',
  'NETWORK_FAILED',
  'DATABASE_UNAVAILABLE',
  'INTERNAL',
]

/** The caller can ask for the status of what was not answered, or sign again what was refused. */
function withHash(error: unknown, { user_op_hash: userOpHash }: OperationRow): unknown {
  if (!(error instanceof LanyardError)) return error
  const { code, message, details, cause } = error
  return new LanyardError(code, { message, details: { ...details, userOpHash }, cause })
}

/**
 * Hands a signed operation to the bundler and writes down what it said: `submitting → submitted`, or, refused,
 * back to `built` (a first delivery: it was never under way) or on to `dropped` (it can never be included).
 *
 * May be repeated at any time: the same operation again is success. When the process dies before the answer is
 * written, the worker delivers again.
 *
 * @throws the bundler's refusal, or its not answering; in the latter case the row stays as it is
 */
export async function deliver(
  { database, networks, bundlerFor, checkpoint, now }: OperationDependencies,
  row: OperationRow,
): Promise<void> {
  const network = networks.get(row.network)
  try {
    await bundlerFor(row.network).deliver(toSignedOperation(row))
  } catch (error) {
    const refusal = await toBelievedRefusal(network, row, error)
    if (refusal) await recordRefusal(database, row, refusal, now())
    else await recordAttempt(database, row, error, now())
    throw withHash(refusal ?? toUnanswered(error), row)
  }
  await checkpoint('submit:delivered')
  await database
    .updateTable('operations')
    .set(({ eb }) => ({
      state: 'submitted',
      attempts: eb('attempts', '+', 1),
      next_attempt_at: nextDelivery(network, now()),
    }))
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', 'in', ['submitting', 'submitted'])
    .execute()
  await checkpoint('submit:submitted')
}

/**
 * The refusal, if it can be believed: from the configured chain, and of an operation that was on its way before, because
 * of its nonce, only when the chain names who used that. Its own event may just not be visible yet.
 */
async function toBelievedRefusal(
  network: Network,
  row: OperationRow,
  error: unknown,
): Promise<LanyardError | undefined> {
  if (!(error instanceof LanyardError) || unanswered.includes(error.code)) return undefined
  try {
    await network.assertChain()
    if (error.code !== 'REBUILD' || isFirstDelivery(row)) return error
    if ((await readNoncesUsed(network, [row])).size === 0) return error
    return (await readNonceUse(network, [row])).taken.length > 0 ? error : undefined
  } catch {
    return undefined // whoever refused it, the network cannot be asked why
  }
}

/** A refusal that is not believed is as good as no answer. */
const toUnanswered = (error: unknown): unknown =>
  error instanceof LanyardError && !unanswered.includes(error.code)
    ? new LanyardError('NETWORK_FAILED', { cause: error })
    : error

const isFirstDelivery = ({ state, attempts }: OperationRow) => state === 'submitting' && attempts === 0

/** A remote bundler may forget what it took. Our own keeps its queue in the table. */
const redeliverAfter = 30_000

const nextDelivery = ({ config }: Network, now: Date) =>
  config.bundler.kind === 'remote' ? new Date(now.getTime() + redeliverAfter) : null

/** Refusals that no funds and no waiting can mend. */
const lasting: readonly ErrorCode[] = ['REBUILD', 'INVALID_SIGNATURE', 'OPERATION_REFUSED']

/** Those that follow on the same lane need the nonce of the one that can no longer come. */
async function dropLaterOnLane(database: Kysely<Database>, row: OperationRow): Promise<void> {
  await database
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
    .execute()
}

async function recordRefusal(
  database: Kysely<Database>,
  row: OperationRow,
  refusal: LanyardError,
  now: Date,
): Promise<void> {
  const reason = { reason_code: refusal.code, reason_message: refusal.message, next_attempt_at: null }
  const unsent = isFirstDelivery(row) && refusal.code !== 'REBUILD'
  const query = database
    .updateTable('operations')
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
  if (unsent) {
    await recordUnsent(database, row, reason)
  } else if (lasting.includes(refusal.code)) {
    await query.set({ ...reason, state: 'dropped' }).execute()
    await dropLaterOnLane(database, row)
  } else {
    // It was under way before, so it stays: what it lacks now (funds, fees) may come.
    await query.set({ ...reason, ...nextAttempt(row, now) }).execute()
  }
}

/** It was never under way: the build waits for another signature, and its order is reserved as before. */
async function recordUnsent(
  database: Kysely<Database>,
  row: OperationRow,
  reason: Pick<OperationRow, 'reason_code' | 'reason_message' | 'next_attempt_at'>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const built = await transaction
      .updateTable('operations')
      .set({ ...reason, state: 'built', signature: null, signed_at: null, signed_at_block: null })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('state', '=', row.state)
      .returning('user_op_hash')
      .executeTakeFirst()
    if (built) await returnOrder(transaction, row)
  })
}

const firstPause = 1_000
const longestPause = 60_000

/** Doubling pauses up to a minute. */
const pauseAfter = (attempts: number) => Math.min(longestPause, firstPause * 2 ** Math.min(attempts, 10))

const nextAttempt = ({ attempts }: OperationRow, now: Date) => ({
  attempts: attempts + 1,
  next_attempt_at: new Date(now.getTime() + pauseAfter(attempts)),
})

async function recordAttempt(
  database: Kysely<Database>,
  row: OperationRow,
  error: unknown,
  now: Date,
): Promise<void> {
  const code = error instanceof LanyardError ? error.code : 'INTERNAL'
  await database
    .updateTable('operations')
    .set({
      ...nextAttempt(row, now),
      reason_code: code,
      reason_message: 'The bundler did not answer; it is sent again.',
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .execute()
}
