import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { boundedFetch } from '../bounded-fetch.ts'
import { signatureAlgorithms } from './answers.ts'
import { isLoopback, providerTimeout } from './describe-provider.ts'

/** Milliseconds after which the keys are read again, so that one that was withdrawn stops counting. */
const keysLifetime = 10 * 60_000

/** Milliseconds between two reads because of a key that is unknown: anyone can invent its name. */
const cooldown = 10_000

/** The keys with which a provider signs. */
export interface ProviderKeys {
  /** @throws errors of jose */
  verify(token: string, options: Omit<JWTVerifyOptions, 'algorithms'>): Promise<JWTPayload>
}

/**
 * Reads the keys of a provider when they are needed (RFC 7517), at most one time in ten seconds for a key that is unknown, and
 * verifies tokens with them.
 *
 * @param uri - `jwks_uri` of its description
 * @param failureLifetime - milliseconds for which it is not asked again after a failure
 */
export function createProviderKeys(issuer: string, uri: string, failureLifetime: number): ProviderKeys {
  const url = new URL(uri)
  if (url.protocol !== 'https:' && !(isLoopback(issuer) && isLoopback(uri))) {
    throw new TypeError('the provider names keys without https')
  }
  let failedAt = -Infinity
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: providerTimeout * 1000,
    cooldownDuration: cooldown,
    cacheMaxAge: keysLifetime,
    [customFetch]: async (address, options) => {
      if (performance.now() - failedAt < failureLifetime) {
        throw new TypeError('the provider has just not answered')
      }
      const started = performance.now()
      try {
        const response = await boundedFetch(address, options)
        if (!response.ok) failedAt = started
        return response
      } catch (error) {
        failedAt = started
        throw error
      }
    },
  })
  return {
    async verify(token, given) {
      const options = { ...given, algorithms: [...signatureAlgorithms] }
      try {
        return (await jwtVerify(token, remote, options)).payload
      } catch (error) {
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
        return verifyWithAny(token, error, options)
      }
    },
  }
}

type KeyOf = (header?: JWTHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>

/** A token that names no key may be of any that suits its algorithm. @throws as jose with the last of them */
async function verifyWithAny(
  token: string,
  matching: AsyncIterable<CryptoKey>,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let failure: unknown = new errors.JWKSNoMatchingKey()
  for await (const key of matching) {
    const only: KeyOf = async () => key
    try {
      return (await jwtVerify(token, only, options)).payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      failure = error
    }
  }
  throw failure
}
