import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ApiKey } from './api-key.ts'

/** What a key begins with: enough for a secret scanner, and for a person, to know what it is. */
const beginnings = { secret: 'lk_secret_', publishable: 'lk_public_' } as const

/** Bytes of the part that may be shown, and of the part that nobody can guess. */
const shownBytes = 6
const secretBytes = 32

const keyPattern = /^(lk_(?:secret|public)_[\w-]{8})[\w-]{43}$/

/** A new key: its text is shown once and never stored, its id may be shown forever. */
export interface NewKeyText {
  readonly id: string
  readonly key: string
  readonly hash: string
}

/** SHA-256, hex. Enough for 256 random bits; a slow hash protects only what people choose. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Makes a key: `lk_secret_`, eight characters of its id, 43 of 32 random bytes (base64url). */
export function newKeyText(kind: ApiKey['kind']): NewKeyText {
  const id = `${beginnings[kind]}${randomBytes(shownBytes).toString('base64url')}`
  const key = `${id}${randomBytes(secretBytes).toString('base64url')}`
  return { id, key, hash: hashKey(key) }
}

/** The id in a key's text; undefined where the text has not the form of a key. */
export const keyIdOf = (text: string): string | undefined => keyPattern.exec(text)?.[1]

/** In the same time whether they are equal or not; both have one length, as digests do. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
