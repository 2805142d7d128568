import { LanyardError } from '@lanyard/contracts'
import { beginDelivery, type OperationRow, recordSubmitted } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { nextAttempt } from '../../../platform/backoff.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { toSignedOperation } from '../signed-operation.ts'
import { toConfirmedRejection, toUnanswered } from './confirmed-rejection.ts'
import { type Delivery, recordAttempt, recordRefusal } from './record-refusal.ts'

/** The caller can ask for the status of what was not answered, or sign again what was refused. */
function withHash(error: unknown, { user_op_hash: userOpHash }: OperationRow): unknown {
  if (!(error instanceof LanyardError)) return error
  const { code, message, details, cause } = error
  return new LanyardError(code, { message, details: { ...details, userOpHash }, cause })
}

/**
 * The first delivery of an operation, by the request that wrote its signature; `signRow` has counted it. The worker
 * may deliver it once more meanwhile, when this takes long.
 *
 * @param row - as `signRow` wrote it
 * @throws the bundler's refusal, or its not answering; in the latter case the worker goes on
 */
export const sendFirst = (dependencies: OperationDependencies, row: OperationRow): Promise<void> =>
  sendToBundler(dependencies, row, { isFirst: true })

/**
 * Delivers an operation that is waiting, unless another process has begun to since the row was read. May be repeated at
 * any time: the same operation again is success.
 *
 * @throws as `sendFirst`
 */
export async function deliverAgain(dependencies: OperationDependencies, row: OperationRow): Promise<void> {
  const { database, now } = dependencies
  const begun = await beginDelivery(database, row, nextAttempt(row.attempts, now()))
  if (begun) await sendToBundler(dependencies, begun, { isFirst: false })
}

/**
 * Hands a signed operation to the bundler and writes down what it said: `submitting → submitted`, or, refused, back to
 * `built` (a first delivery) or on to `dropped` (it can never be included). The attempt was counted before: when the
 * process dies before the answer is written, the worker delivers again, and no refusal of that takes the signature away.
 */
async function sendToBundler(
  { database, networks, bundlerFor, payerHooks, checkpoint, now }: OperationDependencies,
  row: OperationRow,
  { isFirst }: Pick<Delivery, 'isFirst'>,
): Promise<void> {
  const network = networks.get(row.network)
  try {
    await bundlerFor(row.network).deliver(toSignedOperation(row))
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

/** A remote bundler may forget what it took. Our own keeps its queue in the table. */
const redeliverAfter = 30_000

const nextDelivery = ({ config }: Network, now: Date) =>
  config.bundler.kind === 'remote' ? new Date(now.getTime() + redeliverAfter) : null
