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
   * Issues a JWT that only reads: for a user whom a login names, and who has signed nothing.
   *
   * @returns the token, and when it ends: with the login, after ten minutes at the latest
   */
  issueReader(userId: string, until: Date): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /**
   * The user of a token, and whether it only reads.
   *
   * @throws UNAUTHORIZED when this installation did not issue it, or when it has expired
   */
  verify(token: string): Promise<TokenHolder>
}

/** Whose token it is. A reader signed nothing: a login names the user. */
interface TokenHolder {
  readonly userId: string
  readonly isReader: boolean
}

const issuer = 'lanyard'
/** Seconds of an hour. */
const usualLifetime = 3_600

/** Seconds for which a token that only reads is valid. */
const readerLifetime = 600

/** The scope of such a token (RFC 8693 §4.2), by the name that keys have for it. */
const readScope = 'read'

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
  const sign = (userId: string, expires: number, claims: { readonly scope?: string } = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(kid !== undefined && { kid }) })
      .setSubject(userId)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(secondsOf(now()))
      .setExpirationTime(expires)
      .sign(privateKey)

  return {
    issue: (userId) => sign(userId, secondsOf(now()) + lifetime),
    async issueReader(userId, until) {
      const expires = Math.min(secondsOf(now()) + readerLifetime, secondsOf(until))
      return { token: await sign(userId, expires, { scope: readScope }), expiresAt: new Date(expires * 1000) }
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
        const { sub, scope } = payload
        // The check above requires the claim but does not check its value.
        if (!sub) throw new errors.JWTClaimValidationFailed('names nobody', payload, 'sub', 'check_failed')
        // One of another scope is of a later version, and counts for nothing here.
        if (scope !== undefined && scope !== readScope) {
          throw new errors.JWTClaimValidationFailed('has another scope', payload, 'scope', 'check_failed')
        }
        return { userId: sub, isReader: scope === readScope }
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
