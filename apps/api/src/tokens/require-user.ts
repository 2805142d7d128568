import { LanyardError } from '@lanyard/contracts'
import type { RequestContext } from '../request-context.ts'

/**
 * The user whose token came with the request.
 *
 * @throws UNAUTHORIZED
 */
export async function requireUser({ services, userToken }: RequestContext): Promise<string> {
  if (userToken !== undefined) return services.tokens.verify(userToken)
  throw new LanyardError('UNAUTHORIZED', {
    message: "This is private: sign in and send the user's token as `Authorization: Bearer <token>`.",
  })
}

/** The user whose token came with the request, or nobody. A token that does not verify is an error all the same. */
export async function findUser(context: RequestContext): Promise<string | undefined> {
  return context.userToken === undefined ? undefined : requireUser(context)
}
