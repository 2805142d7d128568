import type { NetworkConfig } from '@lanyard/networks'
import type { Env } from '../environment/env.ts'

const privateKeyForm = /^0x[0-9a-fA-F]{64}$/

/** A private key in the environment itself, without its 0x. */
function privateKeyIn(value: unknown): readonly string[] {
  const text = typeof value === 'object' && value !== null && 'privateKey' in value ? value.privateKey : value
  return typeof text === 'string' && privateKeyForm.test(text) ? [text.slice(2)] : []
}

/** Minimum length, in characters, of a part of a URL that counts as a generated key. */
const madeLength = 20

/** The whole URL, the part after the host, the part before it, and every part that looks generated. */
export function secretsOfUrl(url: string): readonly string[] {
  const { href, pathname, search, searchParams, username, password } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values()].filter(
    ({ length }) => length >= madeLength,
  )
  const path = `${pathname}${search}`.replace(/\/$/, '')
  return [url, href, path, ...parts, username, password, decodeURIComponent(password)]
}

/** Addresses of sources of prices contain access keys. */
export const secretsOfPriceSource = (source: string | undefined): readonly string[] =>
  source === undefined || source === 'chainlink' ? [] : secretsOfUrl(source)

/** Only the password of a database URL is secret: user and database names are words such as `postgres`. */
function secretsOfDatabase(url: string): readonly string[] {
  const { password } = new URL(url)
  return [url, password, decodeURIComponent(password)]
}

/**
 * Every secret of the environment. Private keys are found in any variable, so that a new variable's keys are
 * hidden, too.
 */
export function secretsOfEnv(env: Env): readonly string[] {
  const {
    API_KEYS,
    CONSOLE_OIDC_CLIENT_SECRET,
    CONSOLE_PROMETHEUS_URL,
    KEYSTORE_PASSPHRASE,
    SIGNER_URL,
    TOKEN_KEY,
  } = env
  const {
    AUDIT_WEBHOOK_SECRET,
    AUDIT_WEBHOOK_URL,
    SCREENING_SECRET,
    SCREENING_URL,
    DATABASE_URL,
    DATABASE_READ_URL,
    IDENTITY_PROVIDERS,
    IDENTITY_SECRETS,
    PRICE_SOURCE,
  } = env
  const values: readonly unknown[] = Object.values(env).flat()
  return [
    ...API_KEYS.map(({ secret }) => secret),
    ...IDENTITY_SECRETS,
    ...IDENTITY_PROVIDERS.flatMap(({ clientSecret = [] }) => clientSecret),
    ...values.flatMap(privateKeyIn),
    ...(CONSOLE_OIDC_CLIENT_SECRET === undefined ? [] : [CONSOLE_OIDC_CLIENT_SECRET]),
    ...(KEYSTORE_PASSPHRASE === undefined ? [] : [KEYSTORE_PASSPHRASE]),
    ...(SIGNER_URL === undefined ? [] : secretsOfUrl(SIGNER_URL)),
    ...(CONSOLE_PROMETHEUS_URL?.includes('@') ? secretsOfUrl(CONSOLE_PROMETHEUS_URL) : []),
    ...(TOKEN_KEY ?? []).map(({ d }) => d),
    ...[AUDIT_WEBHOOK_SECRET, SCREENING_SECRET].flatMap((secret) => secret?.slice('whsec_'.length) ?? []),
    ...[AUDIT_WEBHOOK_URL, SCREENING_URL].flatMap((url) => (url === undefined ? [] : secretsOfUrl(url))),
    ...secretsOfPriceSource(PRICE_SOURCE),
    ...(DATABASE_URL === undefined ? [] : secretsOfDatabase(DATABASE_URL)),
    ...(DATABASE_READ_URL === undefined ? [] : secretsOfDatabase(DATABASE_READ_URL)),
  ]
}

/** The RPC and bundler addresses of a network often contain an access key; local ones contain none. */
export function secretsOfNetwork(config: NetworkConfig): readonly string[] {
  const { local, rpcUrls, sendRpcUrls, attestorRpcUrls = [], bundler } = config
  if (local) return []
  return [...rpcUrls, ...sendRpcUrls, ...attestorRpcUrls, ...('url' in bundler ? [bundler.url] : [])].flatMap(
    secretsOfUrl,
  )
}
