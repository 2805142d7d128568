import type { safeOperationTypedData } from '@lanyard/accounts'
import type { SessionKey } from '@lanyard/session-keys'
import { type Address, bytesToHex, type Hex, hexToBigInt, hexToBytes, slice } from 'viem'

/** A session key and its signing function. */
export interface SessionKeySigner {
  /** The `sessionKey` of requests: the address, or the uncompressed public key in hex. */
  readonly sessionKey: string
  readonly key: SessionKey
  /**
   * Signs the 32 bytes of `messageToSign`.
   *
   * @param typedData - the SafeOp whose EIP-712 hash the 32 bytes are, for signers that refuse bare hashes
   */
  readonly sign: (hash: Hex, typedData: SessionTypedData) => Promise<Hex>
}

/** Signs the 32 bytes as they are, so it needs nothing else. */
interface HashSigner extends SessionKeySigner {
  readonly sign: (hash: Hex) => Promise<Hex>
}

type SessionTypedData = ReturnType<typeof safeOperationTypedData>

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
export async function createSessionKey(): Promise<HashSigner & { readonly keyPair: SessionKeyPair }> {
  const keyPair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return { ...(await sessionKeyOfPair(keyPair)), keyPair }
}

/** Restores the signer of a stored P-256 pair. */
export async function sessionKeyOfPair({ privateKey, publicKey }: SessionKeyPair): Promise<HashSigner> {
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

/** A viem account. Accounts of remote signers have no `sign`. */
interface SessionSigningAccount {
  readonly address: Address
  readonly sign?: ((parameters: { hash: Hex }) => Promise<Hex>) | undefined
  readonly signTypedData: (typedData: SessionTypedData) => Promise<Hex>
}

/**
 * The signer of a secp256k1 key, as servers and agents use. It signs the hash itself, without the prefix of
 * personal_sign. An account without `sign`, such as one of `@lanyard/signers`, signs the same as typed data.
 */
export const sessionKeyOfAccount = (account: SessionSigningAccount): SessionKeySigner => ({
  sessionKey: account.address,
  key: account.address,
  sign: (hash, typedData) => (account.sign ? account.sign({ hash }) : account.signTypedData(typedData)),
})
