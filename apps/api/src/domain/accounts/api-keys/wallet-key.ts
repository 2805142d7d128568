import { createHash } from 'node:crypto'
import type { SigningKey } from '../tokens/signing-key.ts'
import type { ApiKey } from './api-key.ts'
import { hashKey } from './key-text.ts'

/**
 * No token can have this text as its signed part, because the signed part of a token contains a dot (RFC 7515
 * §5.1).
 */
const purpose = 'lanyard: the publishable key of the web wallet'

export interface WalletKey extends ApiKey {
  /** The key's text. It is part of the wallet's page. */
  readonly text: string
  readonly hash: string
}

/**
 * The publishable key of the wallet that the service serves. It is derived from the key that signs tokens
 * (Ed25519 signatures are deterministic). All replicas therefore use the same key, and nothing has to be
 * stored or configured. It reveals nothing about the signing key and
 * changes with it; pages that were loaded before still have the key of an older one, which is accepted as long as that
 * one verifies tokens.
 *
 * @param origins - those of the relying party
 */
export async function deriveWalletKey(
  { privateKey }: SigningKey,
  origins: readonly string[],
): Promise<WalletKey> {
  const signed = await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(purpose))
  const secret = createHash('sha256').update(Buffer.from(signed)).digest('base64url')
  const text = `lk_public_wallet--${secret}`
  return { kind: 'publishable', name: 'wallet', origins, ownPages: true, text, hash: hashKey(text) }
}
