import * as oidc from 'openid-client'
import { boundedFetch } from '../bounded-fetch.ts'

/** Seconds that one request to the provider may take. */
export const providerTimeout = 3

/**
 * Milliseconds that a renewal may take. Most providers accept a refresh token once: if the answer with the next one comes
 * after the time-out, the session ends although the provider said yes.
 */
const renewalTimeout = 8_000

/** Milliseconds after which the provider's description is read again. Its keys are read again as soon as one is unknown. */
const descriptionLifetime = 60 * 60_000

interface ProviderClient {
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined
  /** Milliseconds for which a description that could not be read is not asked for again. Default: 0 */
  readonly failureLifetime?: number
}

/** Whether a provider is on this machine, where no certificate is needed. */
export const isLoopback = (issuer: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname)

/** The description of a provider (`/.well-known/openid-configuration`) with its keys, read when it is needed. */
export function describeProvider({ issuer, clientId, clientSecret, failureLifetime = 0 }: ProviderClient) {
  let known: { readonly configuration: Promise<oidc.Configuration>; readonly readAt: number } | undefined
  let failedAt = -Infinity

  const isKept = (since: number, lifetime: number) => performance.now() - since <= lifetime

  return {
    /** One that cannot be read is not kept, except for the time of its failure. */
    async read(): Promise<oidc.Configuration> {
      if (known && isKept(known.readAt, descriptionLifetime)) return known.configuration
      if (isKept(failedAt, failureLifetime) && failureLifetime > 0) {
        throw new TypeError('the provider has just not answered')
      }
      const configuration = oidc.discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        {
          timeout: providerTimeout,
          [oidc.customFetch]: providerFetch,
          // The answers of the token endpoint are signed, and the signature counts, not only the connection.
          execute: [
            oidc.enableNonRepudiationChecks,
            ...(isLoopback(issuer) ? [oidc.allowInsecureRequests] : []),
          ],
        },
      )
      known = { configuration, readAt: performance.now() }
      configuration.catch(() => {
        known = undefined
        failedAt = performance.now()
      })
      return configuration
    },
    forget() {
      known = undefined
    },
  }
}

/** A renewal of tokens has a time of its own. */
function providerFetch(url: string, options: object & { readonly body?: unknown }): Promise<Response> {
  const isRenewal =
    options.body instanceof URLSearchParams && options.body.get('grant_type') === 'refresh_token'
  return boundedFetch(url, {
    ...options,
    ...(isRenewal && { signal: AbortSignal.timeout(renewalTimeout) }),
  })
}
