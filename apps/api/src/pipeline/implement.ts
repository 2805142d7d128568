import {
  type EndpointArguments,
  type EndpointDeclaration,
  type EndpointInput,
  type EndpointOutput,
  type EndpointResult,
  statusOf,
} from '@lanyard/contracts'
import type { TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server'
import { withSubstitute } from '../domain/accounts/accounts/not-supported.ts'
import { findEndpoint, nameOf } from '../platform/endpoint-list.ts'
import { toLanyardError } from '../platform/errors/to-lanyard-error.ts'
import { currentMeter } from '../platform/log/current-request.ts'
import { requireAccess } from './access.ts'
import { idempotently, type KeepAnswer } from './idempotency/idempotently.ts'
import { inputParser, inputSchema } from './parse-input.ts'
import { type EndpointCall, procedureOf } from './procedure-of.ts'
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
    count(statusOf(lanyardError.code, findEndpoint(procedure)))
    noteOperation(lanyardError.details)
    throw error
  } finally {
    endWork?.()
  }
}

/** An endpoint that needs no input may be called without any. */
type CallInput<E extends EndpointDeclaration> =
  Record<never, never> extends EndpointInput<E> ? EndpointInput<E> | undefined : EndpointInput<E>

interface CallTypes<E extends EndpointDeclaration> {
  meta: unknown
  input: CallInput<E>
  output: EndpointOutput<E>
}

/** The tRPC procedure of a declared endpoint: GET is a query, POST a mutation. */
export type ProcedureOf<E extends EndpointDeclaration> = E['method'] extends 'GET'
  ? TRPCQueryProcedure<CallTypes<E>>
  : TRPCMutationProcedure<CallTypes<E>>

/**
 * The result is checked against the declaration: one that does not match is INTERNAL, and logged. `keepAnswer`
 * is absent without an Idempotency-Key.
 */
type Handler<E extends EndpointDeclaration> = (
  input: EndpointArguments<E>,
  context: RequestContext,
  keepAnswer: KeepAnswer<EndpointResult<E>> | undefined,
) => Promise<EndpointResult<E>>

/**
 * Creates the procedure of a declared endpoint. Input and output have the types of the declaration, for the
 * compiler and at run time.
 *
 * @example export const details = implement(endpoints.user.details, async ({ username }, { services }) => …)
 */
export function implement<E extends EndpointDeclaration>(
  declaration: E,
  handler: Handler<E>,
): ProcedureOf<E> {
  const name = nameOf(declaration)
  const parse = inputParser(inputSchema(declaration))
  const call: EndpointCall = (readInput, context) =>
    observeCall(name, context, async () => {
      await requireAccess(declaration, context) // before anything is read
      // Its own schema's output; the compiler cannot follow the merge.
      const input = parse(await readInput()) as EndpointArguments<E>
      const output = await idempotently<EndpointResult<E>>({ declaration, input, context }, (keepAnswer) =>
        handler(input, context, keepAnswer).catch((error: unknown) => {
          throw withSubstitute(error, declaration)
        }),
      )
      return declaration.output.parse(output)
    })
  // tRPC's inferred types of a generic declaration are those of ProcedureOf, unresolved.
  return procedureOf(declaration, call) as unknown as ProcedureOf<E>
}
