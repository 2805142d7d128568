import { callerName } from '../api-keys/api-key.ts'
import type { RequestContext } from '../request-context.ts'
import { findUser } from '../tokens/require-user.ts'

/**
 * Whose Idempotency-Key it is: the API key's name and the token's user, of which a request may have both (a browser
 * app with a publishable key and a signed-in user), one or none. Nobody is replayed what another caller was answered.
 *
 * @throws UNAUTHORIZED for a token that does not verify
 */
export async function callerOf(context: RequestContext): Promise<string> {
  const user = await findUser(context)
  return JSON.stringify({ key: context.apiKey && callerName(context.apiKey), user })
}
