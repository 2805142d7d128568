import { LanyardError } from '@lanyard/contracts'
import type { CallerContext } from './caller-context.ts'

/** Verified tokens by context: one request may need the user several times. */
const verified = new WeakMap<CallerContext, Promise<string>>()

/**
 * Requires the user whose token came with the request.
 *
 * @throws UNAUTHORIZED
 */
export async function requireUser(context: CallerContext): Promise<string> {
  const { services, userToken } = context
  if (userToken !== undefined) {
    const userId = verified.get(context) ?? services.tokens.verify(userToken)
    verified.set(context, userId)
    return userId
  }
  throw new LanyardError('UNAUTHORIZED', {
    message: "This is private: sign in and send the user's token as `Authorization: Bearer <token>`.",
  })
}

/**
 * The user whose token came with the request; undefined without a token. An invalid token is still an error.
 */
export async function findUser(context: CallerContext): Promise<string | undefined> {
  return context.userToken === undefined ? undefined : requireUser(context)
}
