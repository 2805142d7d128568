import { LanyardError, memo } from '@lanyard/contracts'
import type { CallerContext } from './caller-context.ts'

/** One request may need the user several times. */
const verify = memo(async ({ services, userToken }: CallerContext) => {
  if (userToken !== undefined) return services.tokens.verify(userToken)
  throw new LanyardError('UNAUTHORIZED', {
    message: "This is private: sign in and send the user's token as `Authorization: Bearer <token>`.",
  })
})

/**
 * Requires the user whose token came with the request.
 *
 * @throws UNAUTHORIZED
 */
export const requireUser = (context: CallerContext): Promise<string> => verify(context)

/**
 * The user whose token came with the request; undefined without a token. An invalid token is still an error.
 */
export async function findUser(context: CallerContext): Promise<string | undefined> {
  return context.userToken === undefined ? undefined : requireUser(context)
}
