import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ApiKey } from './api-key.ts'

/** The prefix of a key. Secret scanners and people recognise a key by it. */
const beginnings = { secret: 'lk_secret_', publishable: 'lk_public_' } as const

/** Bytes of the public part (the id) and of the secret part. */
const shownBytes = 6
const secretBytes = 32

const keyPattern = /^(lk_(?:secret|public)_[\w-]{8})[\w-]{43}$/

/** A new key. Its text is shown once and never stored; its id may always be shown. */
export interface NewKeyText {
  readonly id: string
  readonly key: string
  readonly hash: string
}

/** SHA-256, hex. It is enough for 256 random bits; a slow hash only helps for secrets that people choose. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/**
 * Creates a key: `lk_secret_` or `lk_public_`, eight characters of its id, 43 characters of 32 random bytes
 * (base64url).
 */
export function newKeyText(kind: ApiKey['kind']): NewKeyText {
  const id = `${beginnings[kind]}${randomBytes(shownBytes).toString('base64url')}`
  const key = `${id}${randomBytes(secretBytes).toString('base64url')}`
  return { id, key, hash: hashKey(key) }
}

/** The id in a key's text; undefined when the text does not have the form of a key. */
export const keyIdOf = (text: string): string | undefined => keyPattern.exec(text)?.[1]

/** Compares in constant time. Both digests have the same length. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
