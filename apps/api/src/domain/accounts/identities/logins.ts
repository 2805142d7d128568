import { createHmac } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from 'jose'
import * as oidc from 'openid-client'
import type { ConfiguredProvider } from '../../../platform/environment/identity-providers.ts'
import { isSubject, naming, ProviderRefusal, ProviderUnavailable } from '../../../platform/open-id/answers.ts'
import { describeProvider } from '../../../platform/open-id/describe-provider.ts'
import { createProviderKeys, type ProviderKeys } from '../../../platform/open-id/provider-keys.ts'

/** Seconds by which the clocks of a provider and of this service may differ. */
const clockTolerance = 30

/** Seconds after which an ID token serves no more, however long the provider lets it live. */
const maxAge = 3_600

/** Milliseconds for which a provider that has just failed is not asked again, however many logins arrive. */
const failureLifetime = 5_000

/** Why a login is not valid here. */
type Reason =
  | 'UNKNOWN_PROVIDER'
  | 'REFUSED'
  | 'SIGNATURE'
  | 'AUDIENCE'
  | 'CLAIM'
  | 'EXPIRED'
  | 'NOT_YET'
  | 'MALFORMED'
  | 'NONCE'

/** Causes are texts of this file only: those of libraries carry the claims of a person. */
const refused = (reason: Reason, cause?: string) =>
  new LanyardError('IDENTITY_REFUSED', { details: { reason }, ...(cause !== undefined && { cause }) })

const unavailable = (cause: string) => new LanyardError('IDENTITY_PROVIDER_UNAVAILABLE', { cause })

/** A login that its provider vouches for. It says which identity this is, and nothing else about the person. */
export interface VerifiedLogin {
  readonly issuer: string
  /**
   * HMAC-SHA-256 of issuer and subject, hex: with the secret of new links first, then with those of before. The subject
   * itself leaves this file nowhere.
   */
  readonly hashes: readonly [string, ...string[]]
  /** When the ID token serves no more. */
  readonly expiresAt: Date
}

interface LoginRequest {
  readonly issuer: string
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeChallenge: string
}

interface LoginCode {
  readonly issuer: string
  readonly redirectUri: string
  readonly code: string
  readonly codeVerifier: string
  readonly nonce: string
}

/** The identity providers of an app. */
export interface Logins {
  /** As the wallet offers them. */
  readonly shown: readonly { readonly issuer: string; readonly name: string }[]
  /** What the operator calls a provider; its issuer if it is not configured any more. */
  nameOf(issuer: string): string
  /** @throws IDENTITY_REFUSED, IDENTITY_PROVIDER_UNAVAILABLE */
  authorizationUrl(request: LoginRequest): Promise<string>
  /** The ID token for a code, verified. @throws as {@link authorizationUrl} */
  exchange(code: LoginCode): Promise<string>
  /**
   * @param nonce - that the token must have. Undefined: any or none, for what only reads
   * @throws as {@link authorizationUrl}
   */
  verify(idToken: string, nonce?: string): Promise<VerifiedLogin>
}

interface Provider extends ConfiguredProvider {
  readonly description: ReturnType<typeof describeProvider>
  /** Of the address that the description names. */
  keys(jwksUri: string): ProviderKeys
}

function open(configured: ConfiguredProvider): Provider {
  const { issuer, clientId, clientSecret } = configured
  let known: { readonly uri: string; readonly keys: ProviderKeys } | undefined
  return {
    ...configured,
    description: describeProvider({ issuer, clientId, clientSecret, failureLifetime }),
    keys(uri) {
      if (known?.uri !== uri) known = { uri, keys: createProviderKeys(issuer, uri, failureLifetime) }
      return known.keys
    },
  }
}

/**
 * Verifies logins at the configured identity providers (OpenID Connect Core §3.1.3.7).
 *
 * @param secrets - IDENTITY_SECRETS: the first one counts for new links
 */
export function createLogins(
  configured: readonly ConfiguredProvider[],
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: () => Date },
): Logins {
  const providers = new Map(configured.map((one) => [one.issuer, open(one)]))

  function providerOf(issuer: unknown): Provider {
    const provider = typeof issuer === 'string' ? providers.get(issuer) : undefined
    if (provider) return provider
    throw refused('UNKNOWN_PROVIDER')
  }

  async function verify(idToken: string, nonce?: string): Promise<VerifiedLogin> {
    const provider = providerOf(readUnverified(idToken).iss)
    const configuration = await asked(() => provider.description.read())
    const { jwks_uri } = configuration.serverMetadata()
    if (jwks_uri === undefined) throw unavailable('the provider names no keys')
    let claims: JWTPayload
    try {
      claims = await provider.keys(jwks_uri).verify(idToken, {
        ...{ issuer: provider.issuer, audience: [...provider.audiences], clockTolerance },
        ...{ maxTokenAge: maxAge, requiredClaims: ['sub', 'exp', 'iat'], currentDate: now() },
      })
    } catch (error) {
      throw toLanyardError(error)
    }
    requireIdToken(provider, claims)
    if (nonce !== undefined && claims.nonce !== nonce) throw refused('NONCE')
    const { sub, exp = 0, iat = 0 } = claims
    if (!isSubject(sub)) throw refused('MALFORMED', 'the subject is not one that the standard allows')
    const [first, ...others] = secrets.map((secret) => hashOf(secret, provider.issuer, sub))
    if (first === undefined) throw new LanyardError('INTERNAL', { cause: 'IDENTITY_SECRETS is not set' })
    return {
      issuer: provider.issuer,
      hashes: [first, ...others],
      expiresAt: new Date(Math.min(exp, iat + maxAge) * 1000),
    }
  }

  return {
    shown: configured.map(({ issuer, name }) => ({ issuer, name })),
    nameOf: (issuer) => providers.get(issuer)?.name ?? issuer,
    async authorizationUrl({ issuer, redirectUri, state, nonce, codeChallenge }) {
      const provider = providerOf(issuer)
      const configuration = await asked(() => provider.description.read())
      return oidc.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: provider.scopes, response_type: 'code', state, nonce },
        ...{ code_challenge: codeChallenge, code_challenge_method: 'S256' },
      }).href
    },
    async exchange({ issuer, redirectUri, code, codeVerifier, nonce }) {
      const provider = providerOf(issuer)
      const answer = await asked(async () => {
        const configuration = await provider.description.read()
        // The browser has compared the state, and the issuer of the answer (RFC 9207).
        const iss = configuration.serverMetadata().authorization_response_iss_parameter_supported && {
          iss: provider.issuer,
        }
        const url = new URL(`${redirectUri.split(/[?#]/)[0]}?${new URLSearchParams({ code, ...iss })}`)
        try {
          return await oidc.authorizationCodeGrant(configuration, url, {
            ...{ expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
          })
        } catch (error) {
          // Perhaps its keys have just changed: the next try reads them. Who asks chooses the nonce, which says nothing of them.
          if (error instanceof oidc.ClientError && !isOfNonce(error)) provider.description.forget()
          throw error
        }
      })
      const { id_token: idToken = '' } = answer
      await verify(idToken, nonce)
      return idToken
    },
    verify,
  }
}

/** Whether only the nonce of an ID token is not the one that was asked for: the library names the claim two causes deep. */
const isOfNonce = ({ cause }: oidc.ClientError): boolean => Object(Object(cause).cause).claim === 'nonce'

/** A domain of its own, and lengths that cannot shift into each other: no issuer has a line break. */
const hashOf = (secret: string, issuer: string, subject: string) =>
  createHmac('sha256', secret).update(`lanyard identity\n${issuer}\n${subject}`).digest('hex')

/** The claims as the token states them: they only tell which provider to ask. */
function readUnverified(idToken: string): JWTPayload {
  try {
    const { typ } = decodeProtectedHeader(idToken)
    // RFC 8725 §3.11: a token of another purpose says so. Access tokens (RFC 9068) and log-out tokens do.
    if (typ !== undefined && typ.toUpperCase() !== 'JWT')
      throw refused('MALFORMED', 'the token is no ID token')
    return decodeJwt(idToken)
  } catch (error) {
    throw error instanceof LanyardError ? error : refused('MALFORMED')
  }
}

/** @throws IDENTITY_REFUSED */
function requireIdToken({ audiences, claims: expected }: Provider, claims: JWTPayload): void {
  const { aud = [], azp, events } = claims
  // OpenID Connect Back-Channel Logout §2.4: such a token is signed for the same audience, and names the same person.
  if (events !== undefined) throw refused('MALFORMED', 'the token is no ID token')
  const isOurs = (audience: unknown) => audiences.some((one) => one === audience)
  // §3.1.3.7, 3 to 5: no audience that is not trusted, and the party that the token was issued to is one of ours.
  const isForUs = [aud].flat().every(isOurs) && (azp === undefined || isOurs(azp))
  if (!isForUs) throw refused('AUDIENCE')
  for (const [name, value] of Object.entries(expected)) {
    if (![claims[name]].flat().includes(value)) throw refused('CLAIM', `the claim ${name} has another value`)
  }
}

/** Asks a provider. @throws IDENTITY_REFUSED, IDENTITY_PROVIDER_UNAVAILABLE */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await naming(work)
  } catch (error) {
    throw toLanyardError(error)
  }
}

function toLanyardError(error: unknown): LanyardError {
  if (error instanceof LanyardError) return error
  if (error instanceof ProviderRefusal) return refused('REFUSED')
  if (error instanceof ProviderUnavailable) return unavailable(error.message)
  if (error instanceof errors.JWTExpired) return refused('EXPIRED')
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return refused('MALFORMED')
    if (error.claim === 'aud') return refused('AUDIENCE')
    if (error.claim === 'iss') return refused('UNKNOWN_PROVIDER')
    if (error.claim === 'nbf' || error.claim === 'iat') return refused('NOT_YET')
    return refused('MALFORMED')
  }
  const isOfToken =
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWSSignatureVerificationFailed
  if (isOfToken) return refused('SIGNATURE')
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid) return refused('MALFORMED')
  return unavailable('the keys of the provider cannot be read')
}
