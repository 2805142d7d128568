import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type Address, bytesToHex, getAddress, type Hex } from 'viem'
import { expect } from 'vitest'

/** The run's seed: `TEST_SEED`, or one that the configuration chooses. A failing run prints it. */
const seed = process.env.TEST_SEED ?? '0'

/** The same seed as a number from 0 to 2^31 (exclusive), for fast-check. */
export const numericSeed: number = createHash('sha256').update(seed).digest().readUInt32BE() >>> 1

const drawn = new Map<string, number>()

/**
 * Pseudorandom bytes that depend on the seed, the test file and the number of earlier draws there: a run with
 * the same `TEST_SEED` draws the same bytes. A value that only has to be unique (a file name, an idempotency
 * key) needs no seed.
 */
export function randomBytes(size = 32): Buffer {
  const { testPath = '' } = expect.getState()
  const count = drawn.get(testPath) ?? 0
  drawn.set(testPath, count + 1)
  return createHash('shake256', { outputLength: size }).update(`${seed}\n${testPath}\n${count}`).digest()
}

/** 32 bytes that form a valid private key of secp256k1, except one draw in 2^127. */
export const randomPrivateKey = (): Hex => bytesToHex(randomBytes())

/** A random address with its checksum. */
export const randomAddress = (): Address => getAddress(bytesToHex(randomBytes(20)))

/** @returns an integer from 0 to `bound` (exclusive, at most 2^32) */
export const randomInteger = (bound: number): number => randomBytes(4).readUInt32BE() % bound

/** A P-256 key pair, the type that passkeys use. */
export function randomP256KeyPair(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(randomBytes())
  const point = ecdh.getPublicKey()
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const publicJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: encode(point.subarray(1, 33)),
    y: encode(point.subarray(33)),
  }
  const jwk = { ...publicJwk, d: encode(ecdh.getPrivateKey()) }
  return {
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
  }
}
