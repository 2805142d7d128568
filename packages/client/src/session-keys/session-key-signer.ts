import type { SessionKey } from '@lanyard/session-keys'
import { type Address, bytesToHex, type Hex, hexToBigInt, hexToBytes, slice } from 'viem'

/** A session key and its signing function. */
export interface SessionKeySigner {
  /** The `sessionKey` of requests: the address, or the uncompressed public key in hex. */
  readonly sessionKey: string
  readonly key: SessionKey
  /** Signs the 32 bytes of `messageToSign`. */
  readonly sign: (hash: Hex) => Promise<Hex>
}

/** WebCrypto's key type, from the declarations of Node or of the browser. */
type WebCryptoKey = Parameters<typeof crypto.subtle.exportKey>[1]

/** A WebCrypto P-256 key pair. */
export interface SessionKeyPair {
  readonly privateKey: WebCryptoKey
  readonly publicKey: WebCryptoKey
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const scheme = { name: 'ECDSA', hash: 'SHA-256' } as const

/**
 * Creates a P-256 key that cannot be exported, not even by this page, so it signs only in this browser. Store
 * `keyPair` in IndexedDB, which keeps CryptoKeys as they are, and restore the signer with {@link
 * sessionKeyOfPair}.
 */
export async function createSessionKey(): Promise<SessionKeySigner & { readonly keyPair: SessionKeyPair }> {
  const keyPair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return { ...(await sessionKeyOfPair(keyPair)), keyPair }
}

/** Restores the signer of a stored P-256 pair. */
export async function sessionKeyOfPair({ privateKey, publicKey }: SessionKeyPair): Promise<SessionKeySigner> {
  // SEC 1, section 2.3.3: 0x04 ‖ x ‖ y.
  const point = bytesToHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
  return {
    sessionKey: point,
    key: { x: hexToBigInt(slice(point, 1, 33)), y: hexToBigInt(slice(point, 33)) },
    sign: async (hash) => {
      const signature = await crypto.subtle.sign(scheme, privateKey, new Uint8Array(hexToBytes(hash)))
      return bytesToHex(new Uint8Array(signature))
    },
  }
}

/** A viem account that signs hashes locally. */
interface HashSigningAccount {
  readonly address: Address
  readonly sign: (parameters: { hash: Hex }) => Promise<Hex>
}

/**
 * The signer of a secp256k1 key, as servers and agents use. It signs the hash itself, without the prefix of
 * personal_sign.
 */
export const sessionKeyOfAccount = (account: HashSigningAccount): SessionKeySigner => ({
  sessionKey: account.address,
  key: account.address,
  sign: (hash) => account.sign({ hash }),
})
