import { callerName } from '../../domain/accounts/api-keys/api-key.ts'
import { findUser } from '../../domain/accounts/callers/require-user.ts'
import type { RequestContext } from '../request-context.ts'

/** The members of an input that name its account. */
export const accountNames = ['walletAddress', 'username', 'eoaAddress'] as const

/**
 * The owner of an Idempotency-Key: the API key's name and the token's user. A request may have both (a
 * browser app with a publishable key and a signed-in user), one or none. No caller gets another caller's
 * stored answer.
 *
 * A publishable key is public, so it does not identify a caller. The account then identifies the caller:
 * visitors with consecutive keys do not collide, and a retry from another address is still the same caller.
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
  const members = Object(input) as Partial<Record<(typeof accountNames)[number], unknown>> // the types are unknown
  return accountNames.map((name) => members[name])
}
