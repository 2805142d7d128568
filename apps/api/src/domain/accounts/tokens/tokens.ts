import { LanyardError } from '@lanyard/contracts'
import { decodeProtectedHeader, errors, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import { algorithm, type SigningKey, type SigningKeys } from './signing-key.ts'

/**
 * Tokens for the private data of a user: their credentials and sessions. They authorise no movement of funds.
 */
export interface Tokens {
  /** Issues a JWT that is valid for TOKEN_LIFETIME. */
  issue(userId: string): Promise<string>
  /**
   * The user of a token.
   *
   * @throws UNAUTHORIZED when this installation did not issue it, or when it has expired
   */
  verify(token: string): Promise<string>
}

const issuer = 'lanyard'
/** Seconds of an hour. */
const usualLifetime = 3_600

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)

/**
 * Issues and verifies tokens (RFC 7519).
 *
 * @param audience - the RP ID: a token of one installation is invalid at another
 * @param lifetime - seconds; default: an hour
 */
export function createTokens(
  keys: SigningKeys,
  {
    audience,
    now,
    lifetime = usualLifetime,
  }: { readonly audience: string; readonly now: () => Date; readonly lifetime?: number },
): Tokens {
  const [{ id: kid, privateKey }] = keys
  /** The key that the token names, or all: an earlier version named none. */
  const keysFor = (token: string): readonly SigningKey[] => {
    const { kid: named } = decodeProtectedHeader(token)
    const found = keys.filter(({ id }) => id !== undefined && id === named)
    return found.length > 0 ? found : keys
  }
  return {
    issue(userId) {
      const issuedAt = secondsOf(now())
      return new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(kid !== undefined && { kid }) })
        .setSubject(userId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetime)
        .sign(privateKey)
    },
    async verify(token) {
      try {
        const { payload } = await verifyWithAny(token, keysFor(token), {
          algorithms: [algorithm],
          issuer,
          audience,
          requiredClaims: ['sub', 'exp'],
          currentDate: now(),
        })
        const { sub } = payload
        // The check above requires the claim but does not check its value.
        if (!sub) throw new errors.JWTClaimValidationFailed('names nobody', payload, 'sub', 'check_failed')
        return sub
      } catch (cause) {
        const message =
          cause instanceof errors.JWTExpired
            ? 'The token has expired. Sign in again.'
            : 'The token is not valid here. Sign in again.'
        throw new LanyardError('UNAUTHORIZED', { message, cause })
      }
    },
  }
}

/** @throws as `jwtVerify` with the last of the keys */
async function verifyWithAny(token: string, keys: readonly SigningKey[], options: JWTVerifyOptions) {
  let failure: unknown
  for (const { publicKey } of keys) {
    try {
      return await jwtVerify(token, publicKey, options)
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      failure = error
    }
  }
  throw failure
}
