import { LanyardError } from '@lanyard/contracts'
import { beginDelivery, nextAttempt, type OperationRow, recordSubmitted } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { OperationDependencies } from '../dependencies.ts'
import { toSignedOperation } from '../signed-operation.ts'
import { toConfirmedRejection, toUnanswered } from './confirmed-rejection.ts'
import { type Delivery, recordAttempt, recordRefusal } from './record-rejection.ts'

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
