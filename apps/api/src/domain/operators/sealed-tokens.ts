import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ProviderTokens } from '../../platform/open-id/answers.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * The key of a session's tokens follows from the cookie, of which the database keeps only a hash. So a copy of the database, and
 * the service itself while the session is unused, cannot use them; and no further key is kept and rotated.
 */
const keyOf = (cookie: string) => Buffer.from(hkdfSync('sha256', cookie, '', 'lanyard console tokens', 32))

const stored = z.object({ refreshToken: z.string(), idToken: z.string() })

/** base64url of nonce, tag and AES-256-GCM. */
export function sealTokens(tokens: ProviderTokens, cookie: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, keyOf(cookie), nonce)
  const text = Buffer.concat([sealing.update(JSON.stringify(tokens)), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), text]).toString('base64url')
}

/** @throws Error if another cookie sealed them */
export function openTokens(sealed: string, cookie: string): ProviderTokens {
  const bytes = Buffer.from(sealed, 'base64url')
  const opening = createDecipheriv(cipher, keyOf(cookie), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()])
  return stored.parse(JSON.parse(text.toString()))
}
