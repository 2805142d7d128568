import { randomPrivateKey } from '@lanyard/testing'
import { bytesToHex, type Hex, hexToBigInt, hexToBytes, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { SessionKey } from '../src/index.ts'
import type { SignSession } from './chain.ts'

export interface SoftwareKey {
  readonly key: SessionKey
  readonly sign: SignSession
}

export function ecdsaKey(): SoftwareKey {
  const account = privateKeyToAccount(randomPrivateKey())
  return { key: account.address, sign: (hash) => account.sign({ hash }) }
}

/** A key as created by a browser: its private half is not extractable. */
export async function webCryptoKey(): Promise<SoftwareKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  // Uncompressed point: 0x04 ‖ x ‖ y.
  const point = bytesToHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
  return {
    key: { x: hexToBigInt(slice(point, 1, 33)), y: hexToBigInt(slice(point, 33)) },
    async sign(hash): Promise<Hex> {
      const bytes = new Uint8Array(hexToBytes(hash))
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes)
      return bytesToHex(new Uint8Array(signature))
    },
  }
}
