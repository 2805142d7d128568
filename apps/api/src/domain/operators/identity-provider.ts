import { createHmac } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import * as oidc from 'openid-client'
import type { Env } from '../../platform/environment/env.ts'
import { newToken } from './secret-token.ts'

/** Seconds that one request to the provider may take. */
const timeout = 3

/**
 * Milliseconds that a renewal may take. Most providers accept a refresh token once: if the answer with the next one comes
 * after the time-out, the session ends although the provider said yes.
 */
const renewalTimeout = 8_000

/** Bytes of one answer of the provider: its largest is the list of its keys. */
const maxBytes = 512 * 1024

/** Groups that are looked at. */
const maxGroups = 2_000

/** Milliseconds after which the provider's description is read again. Its keys are read again as soon as one is unknown. */
const descriptionLifetime = 60 * 60_000

/** Where the provider sends the browser back, at the console's origin. */
export const callbackPath = '/sso/callback'

/**
 * Signatures of ID tokens. None is symmetric: a client secret, or a public key that is taken for one, signs nothing.
 */
const signatures: ReadonlySet<unknown> = new Set([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
])

/** OpenID Connect Core §2: at most 255 ASCII characters. It becomes a key, and is in every row of the audit log. */
const subjectText = /^[\x20-\x7e]{1,255}$/

/** What the provider says of a person. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  /** For people to read; it identifies nobody. */
  readonly username: string | undefined
  readonly groups: readonly string[]
}

/** What proves a session again, and ends it at the provider. */
export interface ProviderTokens {
  readonly refreshToken: string
  readonly idToken: string
}

interface Vouched {
  readonly claims: Claims
  readonly tokens: ProviderTokens
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

export interface IdentityProvider {
  /** As the sign-in calls it. */
  readonly name: string
  /** @param secret - of this browser, see {@link newFlowSecret}. @throws ProviderUnavailable */
  authorizationUrl(secret: string): Promise<URL>
  /** @param query - that the browser came back with. @throws ProviderRefusal, ProviderUnavailable */
  signIn(query: string, secret: string): Promise<Vouched>
  /** Asks whether the person may still use the console, and what groups they have. @throws as {@link signIn} */
  renew(tokens: ProviderTokens, subject: string): Promise<Vouched>
  /** Ends the session there. @returns where the browser has to go for that; undefined if the provider has no such page */
  signOut(tokens: ProviderTokens): Promise<URL | undefined>
}

/**
 * The secret of one sign-in, which is in a cookie of the browser that began it. State, nonce and code verifier (RFC 7636) follow
 * from it, so that nothing is stored, and only this browser can end what it began.
 */
export const newFlowSecret = newToken

const derive = (secret: string, label: string) =>
  createHmac('sha256', secret).update(label).digest('base64url')

type Settings = Pick<
  Env,
  | 'CONSOLE_OIDC_ISSUER'
  | 'CONSOLE_OIDC_CLIENT_ID'
  | 'CONSOLE_OIDC_CLIENT_SECRET'
  | 'CONSOLE_OIDC_SCOPES'
  | 'CONSOLE_OIDC_GROUPS_CLAIM'
  | 'CONSOLE_OIDC_NAME'
>

/** @param origin - of the console. @returns undefined without CONSOLE_OIDC_ISSUER */
export function createIdentityProvider(settings: Settings, origin: string): IdentityProvider | undefined {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = settings
  if (issuer === undefined || clientId === undefined) return undefined
  const { CONSOLE_OIDC_SCOPES: scope, CONSOLE_OIDC_GROUPS_CLAIM: groupsClaim } = settings
  const redirectUri = `${origin}${callbackPath}`
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname)
  let known: { readonly configuration: Promise<oidc.Configuration>; readonly readAt: number } | undefined

  /** The provider's description with its keys. One that cannot be read is not kept. */
  async function describe(): Promise<oidc.Configuration> {
    if (!known || performance.now() - known.readAt > descriptionLifetime) {
      const configuration = oidc.discovery(
        new URL(issuer ?? ''),
        clientId ?? '',
        undefined,
        settings.CONSOLE_OIDC_CLIENT_SECRET === undefined
          ? oidc.None()
          : oidc.ClientSecretBasic(settings.CONSOLE_OIDC_CLIENT_SECRET),
        {
          timeout,
          [oidc.customFetch]: boundedFetch,
          // The answers of the token endpoint are signed, and the signature counts, not only the connection.
          execute: [oidc.enableNonRepudiationChecks, ...(isLoopback ? [oidc.allowInsecureRequests] : [])],
        },
      )
      known = { configuration, readAt: performance.now() }
      configuration.catch(() => {
        known = undefined
      })
    }
    return known.configuration
  }

  type Answer = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers

  /** @param before - the tokens that count on if the answer has no others (OpenID Connect Core §12.2) */
  async function toVouched(
    configuration: oidc.Configuration,
    answer: Answer,
    { before, subject }: { readonly before?: ProviderTokens; readonly subject?: string },
  ): Promise<Vouched> {
    const idToken = answer.id_token ?? before?.idToken
    const refreshToken = answer.refresh_token ?? before?.refreshToken
    if (answer.id_token !== undefined && !signatures.has(decodeProtectedHeader(answer.id_token).alg)) {
      throw new ProviderRefusal('the ID token is not signed with a public key')
    }
    const said = answer.claims()
    const sub = said?.sub ?? subject
    if (idToken === undefined || sub === undefined) throw new ProviderRefusal('the answer has no ID token')
    if (!subjectText.test(sub)) throw new ProviderRefusal('the subject is not one that the standard allows')
    if (subject !== undefined && sub !== subject) throw new ProviderRefusal('the answer names another person')
    if (refreshToken === undefined) {
      throw new ProviderRefusal(
        'the answer has no refresh token, without which the service cannot see that access was taken away: CONSOLE_OIDC_SCOPES needs offline_access at most providers',
      )
    }
    const claims: Readonly<Record<string, unknown>> =
      said?.[groupsClaim] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        ? { ...said, ...(await oidc.fetchUserInfo(configuration, answer.access_token, sub)) }
        : { ...said }
    const username = [claims.preferred_username, claims.email, claims.name].find(
      (one) => typeof one === 'string',
    )
    return {
      claims: {
        ...{ issuer: configuration.serverMetadata().issuer, subject: sub, username },
        groups: readGroups(claims[groupsClaim]),
      },
      tokens: { refreshToken, idToken },
    }
  }

  return {
    name: settings.CONSOLE_OIDC_NAME ?? new URL(issuer).host,
    authorizationUrl: (secret) =>
      naming(async () =>
        oidc.buildAuthorizationUrl(await describe(), {
          ...{ redirect_uri: redirectUri, scope, response_type: 'code' },
          ...{ state: derive(secret, 'state'), nonce: derive(secret, 'nonce') },
          code_challenge: await oidc.calculatePKCECodeChallenge(derive(secret, 'verifier')),
          code_challenge_method: 'S256',
        }),
      ),
    signIn: (query, secret) =>
      naming(async () => {
        const configuration = await describe()
        try {
          const answer = await oidc.authorizationCodeGrant(
            configuration,
            new URL(`${redirectUri}?${query}`),
            {
              ...{ expectedState: derive(secret, 'state'), expectedNonce: derive(secret, 'nonce') },
              ...{ pkceCodeVerifier: derive(secret, 'verifier'), idTokenExpected: true },
            },
          )
          return await toVouched(configuration, answer, {})
        } catch (error) {
          known = undefined // perhaps its keys have just changed: the next try reads them
          throw error
        }
      }),
    async renew(before, subject) {
      const { configuration, answer } = await naming(async () => {
        const configuration = await describe()
        return { configuration, answer: await oidc.refreshTokenGrant(configuration, before.refreshToken) }
      })
      try {
        return await naming(() => toVouched(configuration, answer, { before, subject }))
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error
        const { refresh_token: refreshToken = before.refreshToken, id_token: idToken = before.idToken } =
          answer
        throw new ProviderUnavailable(error.message, {
          cause: error.cause,
          tokens: { refreshToken, idToken },
        })
      }
    },
    signOut: ({ refreshToken, idToken }) =>
      naming(async () => {
        const configuration = await describe()
        const { revocation_endpoint, end_session_endpoint } = configuration.serverMetadata()
        // A token that it does not revoke ends with the session there, or in its own time.
        if (revocation_endpoint !== undefined)
          await oidc.tokenRevocation(configuration, refreshToken).catch(() => {})
        if (end_session_endpoint === undefined) return undefined
        return oidc.buildEndSessionUrl(configuration, {
          ...{ id_token_hint: idToken, post_logout_redirect_uri: `${origin}/` },
        })
      }),
  }
}

/** Groups as providers write them: a list of texts, or one text. */
const readGroups = (value: unknown): readonly string[] =>
  [value]
    .flat()
    .slice(0, maxGroups)
    .filter((one): one is string => typeof one === 'string')

/** What a provider says when it takes a grant away (RFC 6749 §5.2), or when a person may not sign in (OpenID Connect Core §3.1.2.6). */
const refusals: ReadonlySet<string> = new Set([
  ...['invalid_grant', 'access_denied', 'login_required', 'interaction_required', 'consent_required'],
])

/** Tells a provider that says no from one that does not answer. What cannot be verified is a no. */
async function naming<T>(work: () => Promise<T>): Promise<T> {
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

/** An answer that is longer than any of a provider is not read to its end. */
const boundedFetch: oidc.CustomFetch = async (url, options) => {
  const isRenewal =
    options.body instanceof URLSearchParams && options.body.get('grant_type') === 'refresh_token'
  const response = await fetch(url, {
    ...options,
    redirect: 'manual',
    ...(isRenewal && { signal: AbortSignal.timeout(renewalTimeout) }),
  } as RequestInit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new TypeError('the answer of the provider is too long')
    chunks.push(chunk)
  }
  const isEmpty = [204, 205, 304].includes(response.status)
  return new Response(isEmpty ? null : Buffer.concat(chunks), response)
}
