import { z } from 'zod'

/** Binary in WebAuthn bodies: base64 or base64url, padded or not; the parsed value is base64url without padding. */
export const binary = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]*={0,2}$/, 'Expected base64 or base64url')
  .transform((value) => value.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
  .refine((value) => value.length % 4 !== 1, 'Expected base64 or base64url: a character is missing')
  .meta({ type: 'string', description: 'base64 or base64url' })
