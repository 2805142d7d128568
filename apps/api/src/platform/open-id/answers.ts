import * as oidc from 'openid-client'

/* Answers of OpenID Connect providers: what counts as one, and who is to blame if it does not. */

/**
 * Signatures of ID tokens. None is symmetric: a client secret, or a public key that is taken for one, signs nothing.
 */
const signatures: ReadonlySet<string> = new Set([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
])

/** OpenID Connect Core §2: at most 255 ASCII characters. It becomes a key, and is in every row of the audit log. */
const subjectText = /^[\x20-\x7e]{1,255}$/

/** For libraries that take a list. */
export const signatureAlgorithms: readonly string[] = [...signatures]

export const isSignature = (algorithm: unknown): boolean =>
  typeof algorithm === 'string' && signatures.has(algorithm)

/** Whether the standard allows this subject. */
export const isSubject = (text: unknown): text is string => typeof text === 'string' && subjectText.test(text)

/** What proves a session again, and ends it at the provider. */
export interface ProviderTokens {
  readonly refreshToken: string
  readonly idToken: string
}

/** The provider says no: the person, the client's grant, or the answer itself is not valid. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
}

/** The provider did not answer, or not as it is documented. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** What counts from now on, if it answered in part: the refresh token of before is used up. */
  readonly tokens: ProviderTokens | undefined

  constructor(
    message: string,
    { tokens, ...options }: ErrorOptions & { readonly tokens?: ProviderTokens } = {},
  ) {
    super(message, options)
    this.tokens = tokens
  }
}

/** What a provider says when it takes a grant away (RFC 6749 §5.2), or when a person may not sign in (OpenID Connect Core §3.1.2.6). */
const refusals: ReadonlySet<string> = new Set([
  ...['invalid_grant', 'access_denied', 'login_required', 'interaction_required', 'consent_required'],
])

/** Tells a provider that says no from one that does not answer. What cannot be verified is a no. */
export async function naming<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderRefusal) throw error
    if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) {
      const text = `the provider answers ${error.error}`
      throw refusals.has(error.error)
        ? new ProviderRefusal(text, { cause: error })
        : new ProviderUnavailable(text, { cause: error })
    }
    if (error instanceof oidc.WWWAuthenticateChallengeError) {
      throw new ProviderRefusal(`the provider answers ${error.status}`, { cause: error })
    }
    if (error instanceof oidc.ClientError && !unanswered.has(error.code ?? '')) {
      throw new ProviderRefusal(`the answer cannot be verified: ${error.message}`, { cause: error })
    }
    throw new ProviderUnavailable('the provider does not answer', { cause: error })
  }
}

/** Codes of the library for answers that say nothing about a person. */
const unanswered: ReadonlySet<string> = new Set([
  ...['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'],
  'OAUTH_PARSE_ERROR',
])
