import { callerName } from '../../domain/accounts/api-keys/api-key.ts'
import { findUser } from '../../domain/accounts/callers/require-user.ts'
import type { RequestContext } from '../request-context.ts'

/** The members of an input that name its account. */
export const accountNames = ['walletAddress', 'username', 'eoaAddress'] as const

/** A call with an Idempotency-Key. */
interface Call {
  /** Parsed. */
  readonly input: unknown
  readonly requestHash: string
}

/**
 * The owner of an Idempotency-Key: the API key's name and the token's user. A request may have both (a
 * browser app with a publishable key and a signed-in user), one or none. No caller gets another caller's
 * stored answer.
 *
 * A publishable key is public, so it does not identify a caller, and in production no key at all does not
 * either. The request itself then belongs to the scope: whoever guesses a key finds nothing and blocks
 * nothing with another request, and a retry from another address is still the same caller. Without any keys
 * in development, the account identifies the caller, so that a mistake is found: another request with the
 * same key.
 *
 * @throws UNAUTHORIZED for a token that does not verify
 */
export async function callerOf(context: RequestContext, { input, requestHash }: Call): Promise<string> {
  const { apiKey, services } = context
  const user = await findUser(context)
  const isKnown = user !== undefined || apiKey?.kind === 'secret'
  const isAnyone = apiKey !== undefined || services.env.NODE_ENV === 'production'
  return JSON.stringify({
    key: apiKey && callerName(apiKey),
    user,
    ...(!isKnown && (isAnyone ? { request: requestHash } : { account: accountOf(input) })),
  })
}

function accountOf(input: unknown): readonly unknown[] {
  const members = Object(input) as Partial<Record<(typeof accountNames)[number], unknown>> // the types are unknown
  return accountNames.map((name) => members[name])
}
