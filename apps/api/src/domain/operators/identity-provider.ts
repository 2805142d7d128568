import { createHmac } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import * as oidc from 'openid-client'
import type { Env } from '../../platform/environment/env.ts'
import {
  isSignature,
  isSubject,
  naming,
  ProviderRefusal,
  type ProviderTokens,
  ProviderUnavailable,
} from '../../platform/open-id/answers.ts'
import { describeProvider } from '../../platform/open-id/describe-provider.ts'
import { newToken } from './secret-token.ts'

/** Groups that are looked at. */
const maxGroups = 2_000

/** Where the provider sends the browser back, at the console's origin. */
export const callbackPath = '/sso/callback'

/** What the provider says of a person. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  /** For people to read; it identifies nobody. */
  readonly username: string | undefined
  readonly groups: readonly string[]
}

interface Vouched {
  readonly claims: Claims
  readonly tokens: ProviderTokens
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
  const description = describeProvider({
    issuer,
    clientId,
    clientSecret: settings.CONSOLE_OIDC_CLIENT_SECRET,
  })
  const describe = description.read

  type Answer = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers

  /** @param before - the tokens that count on if the answer has no others (OpenID Connect Core §12.2) */
  async function toVouched(
    configuration: oidc.Configuration,
    answer: Answer,
    { before, subject }: { readonly before?: ProviderTokens; readonly subject?: string },
  ): Promise<Vouched> {
    const idToken = answer.id_token ?? before?.idToken
    const refreshToken = answer.refresh_token ?? before?.refreshToken
    if (answer.id_token !== undefined && !isSignature(decodeProtectedHeader(answer.id_token).alg)) {
      throw new ProviderRefusal('the ID token is not signed with a public key')
    }
    const said = answer.claims()
    const sub = said?.sub ?? subject
    if (idToken === undefined || sub === undefined) throw new ProviderRefusal('the answer has no ID token')
    if (!isSubject(sub)) throw new ProviderRefusal('the subject is not one that the standard allows')
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
          description.forget() // perhaps its keys have just changed: the next try reads them
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
