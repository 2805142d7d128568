import type { SessionKey } from '@lanyard/session-keys'
import { type Address, bytesToHex, type Hex, hexToBigInt, hexToBytes, slice } from 'viem'

/** A key of a session, and how it signs. */
export interface SessionKeySigner {
  /** What requests call `sessionKey`: the address, or the uncompressed public key in hex. */
  readonly sessionKey: string
  readonly key: SessionKey
  /** Signs the 32 bytes of `messageToSign`. */
  readonly sign: (hash: Hex) => Promise<Hex>
}

/** WebCrypto's type, by whichever declarations are there: Node's or the browser's. */
type WebCryptoKey = Parameters<typeof crypto.subtle.exportKey>[1]

/** A P-256 pair of WebCrypto. */
export interface SessionKeyPair {
  readonly privateKey: WebCryptoKey
  readonly publicKey: WebCryptoKey
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const scheme = { name: 'ECDSA', hash: 'SHA-256' } as const

/**
 * Makes a P-256 key that nobody can read, this page included: it signs only where it was made. Keep `keyPair` in
 * IndexedDB, which stores CryptoKeys as they are, and come back with {@link sessionKeyOfPair}.
 */
export async function createSessionKey(): Promise<SessionKeySigner & { readonly keyPair: SessionKeyPair }> {
  const keyPair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return { ...(await sessionKeyOfPair(keyPair)), keyPair }
}

/** The signer of a P-256 pair that was kept. */
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

/** A viem account that signs hashes by itself. */
interface HashSigningAccount {
  readonly address: Address
  readonly sign: (parameters: { hash: Hex }) => Promise<Hex>
}

/** The signer of a secp256k1 key, as servers and agents hold it: over the hash itself, without personal_sign's prefix. */
export const sessionKeyOfAccount = (account: HashSigningAccount): SessionKeySigner => ({
  sessionKey: account.address,
  key: account.address,
  sign: (hash) => account.sign({ hash }),
})
