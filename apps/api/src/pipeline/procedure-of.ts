import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'
import type { RequestContext } from './request-context.ts'
import { procedure } from './trpc.ts'

/**
 * One call of an endpoint, the same over both transports: measured, allowed, its input read and parsed, run once, its
 * answer checked.
 *
 * @throws LanyardError, and whatever a handler throws
 */
export type EndpointCall = (readInput: () => unknown, context: RequestContext) => Promise<unknown>

/**
 * The procedure that makes a call. tRPC's own steps for inputs and outputs stay unused: each of them copies all that it is
 * given several times, for every call.
 */
export function procedureOf({ method }: EndpointDeclaration, call: EndpointCall) {
  // The answer comes to the resolver as its input, and needs nothing more.
  const called = procedure.use(async ({ ctx, getRawInput, next }) =>
    next({ input: await call(getRawInput, ctx) }),
  )
  const answer = ({ input }: { input: unknown }) => input
  const made = method === 'GET' ? called.query(answer) : called.mutation(answer)
  return Object.assign(made, { endpointCall: call })
}

/**
 * The call of a procedure, without tRPC's steps around it: they copy the context several times, which is a seventh of the
 * processor time of a small read.
 *
 * @throws INTERNAL for what `procedureOf` did not make
 */
export function callOf(made: object | undefined): EndpointCall {
  if (made && 'endpointCall' in made) return made.endpointCall as EndpointCall // set above
  throw new LanyardError('INTERNAL', { cause: 'not a procedure of an endpoint' })
}
