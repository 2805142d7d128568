import { LanyardError } from '@lanyard/contracts'
import {
  type Address,
  type Hash,
  type Hex,
  isAddressEqual,
  numberToHex,
  recoverAddress,
  type Signature,
  size,
  slice,
} from 'viem'

/** Order of secp256k1 (SEC 2 §2.4.1). */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * The signer's signature in the one form that chains accept, after checking that this key made it over this
 * hash. Devices differ in v, and some return s in the upper half of the order (EIP-2); r and s decide.
 *
 * @param answered - r ‖ s, with or without v
 * @throws SIGNER_FAILED if it is another key's, over another hash, or not a signature
 */
export async function canonicalSignature(answered: Hex, hash: Hash, address: Address): Promise<Signature> {
  if (size(answered) !== 64 && size(answered) !== 65) throw rejected('the signer returned no signature')
  const r = slice(answered, 0, 32)
  const s = lowerHalf(BigInt(slice(answered, 32, 64)))
  for (const yParity of [0, 1]) {
    const signature: Signature = { r, s, yParity, v: BigInt(27 + yParity) }
    const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
    if (signer && isAddressEqual(signer, address)) return signature
  }
  throw rejected(`the signer's signature is not one by ${address} over the requested data`)
}

const lowerHalf = (s: bigint): Hex => numberToHex(s > curveOrder / 2n ? curveOrder - s : s, { size: 32 })

const rejected = (cause: string) => new LanyardError('SIGNER_FAILED', { cause })
