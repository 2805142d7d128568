import { findEndpoint } from '../platform/endpoint-list.ts'
import { toLanyardError } from '../platform/errors/to-lanyard-error.ts'
import { currentMeter } from '../platform/load/current-meter.ts'
import { toErrorAnswer } from './errors/error-answer.ts'
import type { RequestContext } from './request-context.ts'

/** The operation in an answer or in an error's details. */
function operationOf(answered: unknown): string | undefined {
  if (typeof answered !== 'object' || answered === null || !('userOpHash' in answered)) return undefined
  return typeof answered.userOpHash === 'string' ? answered.userOpHash : undefined
}

/**
 * Runs a procedure in a span, measures its time, and adds its operation to the request's log line.
 *
 * @param procedure - `noun.verb`; only existing names are passed, so callers cannot create metric labels
 */
export async function observeCall<T>(
  procedure: string,
  { services, requestId, traceparent, note }: RequestContext,
  run: () => Promise<T>,
): Promise<T> {
  const { metrics, tracing } = services
  const endWork = currentMeter()?.work()
  const began = performance.now()
  const count = (status: number) =>
    metrics.countCall({ procedure, status, seconds: (performance.now() - began) / 1000 })
  const noteOperation = (answered: unknown) => {
    const userOpHash = operationOf(answered)
    if (userOpHash !== undefined) note({ userOpHash })
  }
  try {
    const answer = await tracing.span(procedure, { traceparent, attributes: { requestId } }, run)
    count(200)
    noteOperation(answer)
    return answer
  } catch (error) {
    const lanyardError = toLanyardError(error)
    count(toErrorAnswer(lanyardError, requestId, findEndpoint(procedure)).status)
    noteOperation(lanyardError.details)
    throw error
  } finally {
    endWork?.()
  }
}
