import { createHash, randomBytes } from 'node:crypto'

/** A random token of 256 bits, base64url. The database keeps only its hash, so a copy of it opens nothing. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256, hex. The token has 256 random bits, so no slower hash is needed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
