import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'
import type { RequestContext } from './request-context.ts'
import { procedure } from './trpc.ts'

/**
 * One call of an endpoint, the same over both transports: it is measured and authorised, its input is read
 * and parsed, it runs once, and its answer is checked.
 *
 * @throws LanyardError, and whatever a handler throws
 */
export type EndpointCall = (readInput: () => unknown, context: RequestContext) => Promise<unknown>

/**
 * The procedure that makes a call. tRPC's own steps for inputs and outputs are not used: each of them copies
 * its data several times for every call.
 */
export function procedureOf({ method }: EndpointDeclaration, call: EndpointCall) {
  // The resolver gets the answer as its input and returns it unchanged.
  const called = procedure.use(async ({ ctx, getRawInput, next }) =>
    next({ input: await call(getRawInput, ctx) }),
  )
  const answer = ({ input }: { input: unknown }) => input
  const made = method === 'GET' ? called.query(answer) : called.mutation(answer)
  return Object.assign(made, { endpointCall: call })
}

/**
 * The call of a procedure without tRPC's steps around it: they copy the context several times, which takes a
 * seventh of the processor time of a small read.
 *
 * @throws INTERNAL for a procedure that `procedureOf` did not create
 */
export function callOf(made: object | undefined): EndpointCall {
  if (made && 'endpointCall' in made) return made.endpointCall as EndpointCall // set above
  throw new LanyardError('INTERNAL', { cause: "not an endpoint's procedure" })
}
