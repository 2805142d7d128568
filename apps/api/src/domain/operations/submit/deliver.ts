import { toSignedOperation } from '@lanyard/bundler'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import {
  beginDelivery,
  type Database,
  nextAttempt,
  type OperationRow,
  recordRejection,
  recordSubmitted,
  recordUnsent,
  scheduleDelivery,
} from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import { isDeployedOtherwise } from '../../accounts/accounts/wallet.ts'
import type { PayerHooks } from '../build-request.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { readNoncesUsed } from '../nonces.ts'
import { readNonceOutcomes } from '../track/inclusion.ts'

/**
 * Adds the hash, so that the caller can query the status when no answer arrived, or sign again after a
 * rejection.
 */
function withHash(error: unknown, { user_op_hash: userOpHash }: OperationRow): unknown {
  if (!(error instanceof LanyardError)) return error
  const { code, message, details, cause } = error
  return new LanyardError(code, { message, details: { ...details, userOpHash }, cause })
}

/**
 * Begins the bundler's check of an operation before its signature is written, if it can check without sending. A
 * failure is for `sendFirst`.
 */
export function beginCheck(
  { bundlerFor }: OperationDependencies,
  row: OperationRow,
): Promise<void> | undefined {
  const checking = bundlerFor(row.network).check?.(toSignedOperation(row), row.sent_by)
  checking?.catch(() => {}) // nobody waits for it if the node does not answer
  return checking
}

/**
 * Sends an operation for the first time, in the request that wrote its signature; `signRow` has counted the
 * attempt. If this takes long, the worker may send it a second time.
 *
 * @param row - as `signRow` wrote it
 * @param checking - from `beginCheck`
 * @throws the bundler's rejection, or its failure to answer; in the latter case the worker continues
 */
export const sendFirst = (
  dependencies: OperationDependencies,
  row: OperationRow,
  checking?: Promise<void>,
): Promise<void> => sendToBundler(dependencies, row, { isFirst: true, checking })

/**
 * Sends a waiting operation, unless another process has started to since the row was read. May be repeated at
 * any time: sending the same operation again succeeds.
 *
 * @throws as `sendFirst`
 */
export async function deliverAgain(dependencies: OperationDependencies, row: OperationRow): Promise<void> {
  const { database, now } = dependencies
  const begun = await beginDelivery(database, row, nextAttempt(row.attempts, now()))
  if (begun) await sendToBundler(dependencies, begun, { isFirst: false })
}

/**
 * Sends a signed operation to the bundler and records the answer: `submitting → submitted`. A rejected
 * operation goes back to `built` (first attempt) or on to `dropped` (it can never be included). The attempt
 * is counted beforehand: if the process dies before the answer is written, the worker sends the operation
 * again, and a rejection of that attempt does not remove the signature.
 */
async function sendToBundler(
  { database, networks, bundlerFor, payerHooks, checkpoint, now }: OperationDependencies,
  row: OperationRow,
  { isFirst, checking }: Pick<Delivery, 'isFirst'> & { readonly checking?: Promise<void> | undefined },
): Promise<void> {
  const network = networks.get(row.network)
  try {
    await (checking ?? bundlerFor(row.network).deliver(toSignedOperation(row), row.sent_by))
  } catch (error) {
    const rejection = await toConfirmedRejection(network, row, error)
    if (rejection) await recordRefusal(database, row, rejection, { ...payerHooks, isFirst, now: now() })
    else await recordAttempt(database, row, error, now())
    throw withHash(rejection?.refusal ?? toUnanswered(error, network), row)
  }
  await checkpoint('submit:delivered')
  await recordSubmitted(database, row.user_op_hash, nextDelivery(network, now()))
  await checkpoint('submit:submitted')
}

/**
 * A remote bundler may forget an operation that it accepted. The built-in bundler keeps its queue in the
 * table.
 */
const redeliverAfter = 30_000

const nextDelivery = ({ config }: Network, now: Date) =>
  config.bundler.kind === 'remote' ? new Date(now.getTime() + redeliverAfter) : null

/**
 * These codes mean that no answer arrived, so nothing is rejected: the bundler may have received the
 * operation, and it is sent again.
 */
const unanswered: readonly ErrorCode[] = [
  'BUNDLER_UNAVAILABLE',
  'BUNDLER_FAILED',
  'NETWORK_UNAVAILABLE',
  'NETWORK_FAILED',
  'DATABASE_UNAVAILABLE',
  'INTERNAL',
]

interface ConfirmedRejection {
  readonly refusal: LanyardError
  /** Another operation has used the nonce: later operations on the lane can follow. */
  readonly isTaken: boolean
}

/**
 * The rejection, if it is confirmed: the configured chain itself must reject it. A rejection because of the
 * nonce or the time counts only if that chain shows it.
 */
async function toConfirmedRejection(
  network: Network,
  row: OperationRow,
  error: unknown,
): Promise<ConfirmedRejection | undefined> {
  if (!(error instanceof LanyardError) || unanswered.includes(error.code)) return undefined
  try {
    await network.assertChain()
    if (error.code !== 'REBUILD') return { refusal: error, isTaken: false }
    const why = await findWhyOutdated(network, row)
    return why && { refusal: error, isTaken: why === 'taken' }
  } catch {
    return undefined // the network cannot be asked for the reason, whoever rejected it
  }
}

/**
 * Why an operation can no longer be included, according to the chain: an event names another operation with
 * its nonce (`taken`), its account has been deployed without it, or its validity is over. A bundler reports
 * the same (AA25, AA10, AA22) for an operation whose own event is not visible yet, for one whose predecessor
 * a reorg removed, and for any operation while its node lags.
 */
async function findWhyOutdated(network: Network, row: OperationRow): Promise<'taken' | 'over' | undefined> {
  // The order matters: if the account is deployed now and the nonce is still unused afterwards, another
  // operation deployed it.
  const isDeployed = row.deploys && (await isDeployedOtherwise(network, row))
  const { timestamp } = await network.call((client) => client.getBlock())
  if ((await readNoncesUsed(network, [row])).size > 0) {
    return (await readNonceOutcomes(network, [row])).taken.length > 0 ? 'taken' : undefined
  }
  return isDeployed || (row.valid_until > 0 && BigInt(row.valid_until) < timestamp) ? 'over' : undefined
}

/** Treats an unconfirmed rejection as no answer. */
const toUnanswered = (error: unknown, { config }: Network): unknown =>
  error instanceof LanyardError && !unanswered.includes(error.code)
    ? new LanyardError('NETWORK_FAILED', {
        message: `The bundler refused the operation for a reason that ${config.name} does not show. It will be sent again.`,
        cause: error,
      })
    : error

/** Rejections that neither funds nor waiting can resolve, unless an earlier operation is pending. */
const lasting: readonly ErrorCode[] = ['INVALID_SIGNATURE', 'OPERATION_REFUSED']

interface Delivery extends Pick<PayerHooks, 'onUnsent'> {
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
async function recordRefusal(
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
async function recordAttempt(
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
