import { LanyardError } from '@lanyard/contracts'
import { errors, jwtVerify, SignJWT } from 'jose'
import { algorithm, type SigningKey } from './signing-key.ts'

/**
 * Tokens for the private data of a user: their credentials and sessions. They authorise no movement of funds.
 */
export interface Tokens {
  /** Issues a JWT that is valid for one hour. */
  issue(userId: string): Promise<string>
  /**
   * The user of a token.
   *
   * @throws UNAUTHORIZED when this installation did not issue it, or when it has expired
   */
  verify(token: string): Promise<string>
}

const issuer = 'lanyard'
const lifetimeSeconds = 60 * 60

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)

/**
 * Issues and verifies tokens (RFC 7519).
 *
 * @param audience - the RP ID: a token of one installation is invalid at another
 */
export function createTokens(
  { privateKey, publicKey }: SigningKey,
  { audience, now }: { readonly audience: string; readonly now: () => Date },
): Tokens {
  return {
    issue(userId) {
      const issuedAt = secondsOf(now())
      return new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(privateKey)
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, publicKey, {
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
