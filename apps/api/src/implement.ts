import type {
  EndpointArguments,
  EndpointDeclaration,
  EndpointInput,
  EndpointOutput,
  EndpointResult,
} from '@lanyard/contracts'
import type { TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server'
import { assertShallow } from './errors/assert-shallow.ts'
import { requiredMessage } from './errors/input-issues.ts'
import { idempotently, type KeepAnswer } from './idempotency/idempotently.ts'
import { inputSchema } from './input-schema.ts'
import type { RequestContext } from './request-context.ts'
import { procedure } from './trpc.ts'

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

/** Only what the declaration promises leaves: a result that does not fit it is INTERNAL, and logged. */
export type Handler<E extends EndpointDeclaration> = (
  input: EndpointArguments<E>,
  context: RequestContext,
  keepAnswer: KeepAnswer<EndpointResult<E>>,
) => Promise<EndpointResult<E>>

/**
 * Makes the procedure of a declared endpoint. Input and output are those of the declaration, for the compiler and
 * at run time.
 *
 * @example
 * export const details = implement(endpoints.user.details, async ({ username }, { services }) => …)
 */
export function implement<E extends EndpointDeclaration>(
  declaration: E,
  handler: Handler<E>,
): ProcedureOf<E> {
  const schema = inputSchema(declaration)
  const parse = (input: unknown) => {
    assertShallow(input)
    // What the schema of this declaration parsed is its output; the compiler cannot follow the merge.
    return schema.parse(input ?? {}, { error: requiredMessage }) as EndpointArguments<E>
  }
  const declared = procedure.input(parse).output(declaration.output)
  const resolve = ({ input, ctx: context }: { input: unknown; ctx: RequestContext }) =>
    idempotently<EndpointResult<E>>(
      { declaration, input, context },
      (keepAnswer) => handler(input as EndpointArguments<E>, context, keepAnswer), // tRPC hands on what `parse` answered
    )
  const built = declaration.method === 'GET' ? declared.query(resolve) : declared.mutation(resolve)
  // The types that tRPC infers from a generic declaration are those of ProcedureOf, unresolved.
  return built as unknown as ProcedureOf<E>
}
