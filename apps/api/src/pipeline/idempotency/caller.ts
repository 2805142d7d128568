import { callerName } from '../../domain/accounts/api-keys/api-key.ts'
import { findUser } from '../../domain/accounts/callers/require-user.ts'
import type { RequestContext } from '../request-context.ts'

/** The members of an input that name the account it is about. */
export const accountNames = ['walletAddress', 'username', 'eoaAddress'] as const

/**
 * Whose Idempotency-Key it is: the API key's name and the token's user, of which a request may have both (a browser
 * app with a publishable key and a signed-in user), one or none. Nobody is replayed what another caller was answered.
 *
 * A publishable key is everybody's, and so is none. There the account stands for the caller: visitors who number their
 * keys do not meet each other's, and who asks again from another address is still the same.
 *
 * @param input - of the call, parsed
 * @throws UNAUTHORIZED for a token that does not verify
 */
export async function callerOf(context: RequestContext, input: unknown): Promise<string> {
  const { apiKey } = context
  const user = await findUser(context)
  const isKnown = user !== undefined || apiKey?.kind === 'secret'
  return JSON.stringify({
    key: apiKey && callerName(apiKey),
    user,
    account: isKnown ? undefined : accountOf(input),
  })
}

function accountOf(input: unknown): readonly unknown[] {
  const members = Object(input) as Partial<Record<(typeof accountNames)[number], unknown>> // of whatever types
  return accountNames.map((name) => members[name])
}
