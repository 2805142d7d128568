import * as oidc from 'openid-client'

/** Seconds that one request to the provider may take. */
export const providerTimeout = 3

/**
 * Milliseconds that a renewal may take. Most providers accept a refresh token once: if the answer with the next one comes
 * after the time-out, the session ends although the provider said yes.
 */
const renewalTimeout = 8_000

/** Bytes of one answer of the provider: its largest is the list of its keys. */
const maxBytes = 512 * 1024

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
          [oidc.customFetch]: boundedFetch,
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

/** An answer that is longer than any of a provider is not read to its end. */
export async function boundedFetch(
  url: string,
  options: object & { readonly body?: unknown },
): Promise<Response> {
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
