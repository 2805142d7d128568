import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { bytesToBigInt, encodeAbiParameters, type Hex, hexToBytes, toHex } from 'viem'
import { canonicalAddresses } from '../src/index.ts'

/** Precompile at 0x100 first, then the Solidity verifier (P256.Verifiers of safe-passkey). */
export const verifiers = (0x100n << 160n) | BigInt(canonicalAddresses.p256Verifier)

/** A software passkey: P-256 key pair, and signatures in the format of the SafeWebAuthn* contracts. */
export function createPasskey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (part: string | undefined) => bytesToBigInt(Buffer.from(part ?? '', 'base64url'))

  return {
    x: coordinate(x),
    y: coordinate(y),

    /** r ‖ s over a 32-byte digest's preimage. */
    sign(message: Uint8Array): { r: bigint; s: bigint } {
      const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return { r: bytesToBigInt(signature.subarray(0, 32)), s: bytesToBigInt(signature.subarray(32)) }
    },

    /** abi.encode(authenticatorData, clientDataFields, r, s) with the challenge `hash`. */
    signWebAuthn(hash: Hex): Hex {
      // rpIdHash, flags UP | UV, signCount 0.
      const authenticatorData = Buffer.concat([sha256('localhost'), Buffer.from([0x05, 0, 0, 0, 0])])
      const clientDataFields = '"origin":"http://localhost:3000","crossOrigin":false'
      const challenge = Buffer.from(hexToBytes(hash)).toString('base64url')
      const clientData = `{"type":"webauthn.get","challenge":"${challenge}",${clientDataFields}}`
      const { r, s } = this.sign(Buffer.concat([authenticatorData, sha256(clientData)]))
      return encodeAbiParameters(
        [{ type: 'bytes' }, { type: 'string' }, { type: 'uint256' }, { type: 'uint256' }],
        [toHex(authenticatorData), clientDataFields, r, s],
      )
    },
  }
}

export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}
