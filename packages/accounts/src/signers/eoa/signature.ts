import {
  type Address,
  concat,
  type Hash,
  type Hex,
  hashMessage,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  numberToHex,
  recoverAddress,
  size,
  slice,
} from 'viem'
import type { RecoverAddress } from '../../recover.ts'
import { type Failure, failure } from '../../result.ts'

/**
 * r, s and v for which `ecrecover` returns some address, so that it costs as much as a real signature. If r
 * is not an x coordinate, `ecrecover` returns nothing, which some accounts reject.
 */
export const eoaStub: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`

/**
 * What the owner's wallet signed. `digest`: the 32 bytes themselves, as a raw key and `eth_signTypedData`
 * both do. `personal_sign`: the bytes with EIP-191's prefix.
 */
export type OwnerSignatureForm = 'digest' | 'personal_sign'

export type RecoverOwnerSignatureResult =
  | { readonly ok: true; readonly form: OwnerSignatureForm; readonly signature: Hex }
  | Failure<'MALFORMED' | 'COMPACT' | 'MALLEABLE' | 'TEXT_SIGNED'>
  | (Failure<'WRONG_SIGNER'> & {
      /** The address that signed, for each form; undefined if no key can have made the signature. */
      readonly recovered: Readonly<Record<OwnerSignatureForm | 'text', Address | undefined>>
    })

/** The order of secp256k1's base point: SEC 2 v2.0 §2.4.1. */
const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * Recovers the signer to determine what an EOA's signature signs, and encodes it for `Safe.checkSignatures`:
 * v 27 or 28 over the SafeOp hash, v + 4 over the hash with EIP-191's prefix.
 *
 * Accepts v as 27/28, as 0/1 (hardware wallets), and as 31/32 (already encoded for a Safe).
 *
 * @returns on success the 65 bytes for the Safe. Failures:
 * - MALFORMED: not 65 bytes of hex, unknown v, r or s out of range
 * - COMPACT: 64 bytes (ERC-2098), which a Safe does not accept
 * - MALLEABLE: s in the upper half of the curve's order (EIP-2), so that a second signature would be valid
 * - TEXT_SIGNED: the wallet signed the 66 characters of the hash's hex text instead of its 32 bytes
 * - WRONG_SIGNER: the signature was made by another key, or over something else
 */
export async function recoverOwnerSignature({
  hash,
  owner,
  signature,
  recover = recoverAddress,
  triesText = true,
}: {
  hash: Hash
  owner: Address
  signature: Hex
  /** Default: viem's, in JavaScript. */
  recover?: RecoverAddress
  /** False: skips the check for TEXT_SIGNED, which adds half to the running time. Default: true. */
  triesText?: boolean
}): Promise<RecoverOwnerSignatureResult> {
  const parsed = parseSignature(signature)
  if (!parsed.ok) return parsed
  const { rs, yParity, prefixed } = parsed
  const vrs = concat([rs, numberToHex(27 + yParity)])

  const digest = prefixed ? undefined : await tryRecover(recover, hash, vrs)
  if (digest !== undefined && isAddressEqual(digest, owner))
    return { ok: true, form: 'digest', signature: vrs }

  const personal = await tryRecover(recover, hashMessage({ raw: hash }), vrs)
  if (personal !== undefined && isAddressEqual(personal, owner))
    return {
      ok: true,
      form: 'personal_sign',
      signature: concat([rs, numberToHex(31 + yParity)]),
    }

  const text = triesText ? await tryRecover(recover, hashMessage(hash), vrs) : undefined
  if (text !== undefined && isAddressEqual(text, owner))
    return failure(
      'TEXT_SIGNED',
      'The wallet signed the hash as 66 characters of text. Sign its 32 bytes instead, e.g. signMessage({ message: { raw: hash } }).',
    )
  return {
    ...failure('WRONG_SIGNER', `${owner} did not make this signature over this operation.`),
    recovered: { digest, personal_sign: personal, text },
  }
}

type ParsedSignature =
  | { ok: true; rs: Hex; yParity: 0 | 1; prefixed: boolean }
  | Failure<'MALFORMED' | 'COMPACT' | 'MALLEABLE'>

/** By v: the values of hardware wallets, of other wallets, and of a Safe for a prefixed hash. */
const parities = new Map<number, 0 | 1>([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
  [31, 0],
  [32, 1],
])

function parseSignature(signature: Hex): ParsedSignature {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(signature)) return failure('MALFORMED', 'The signature is not hex.')
  if (size(signature) === 64)
    return failure('COMPACT', 'The signature is compact (ERC-2098, 64 bytes). Send r, s and v: 65 bytes.')
  if (size(signature) !== 65) return failure('MALFORMED', 'The signature is not 65 bytes long.')

  const v = hexToNumber(slice(signature, 64))
  const yParity = parities.get(v)
  if (yParity === undefined) return failure('MALFORMED', `The signature has an unknown v: ${v}.`)
  const r = hexToBigInt(slice(signature, 0, 32))
  const s = hexToBigInt(slice(signature, 32, 64))
  if (r === 0n || s === 0n || r >= secp256k1Order || s >= secp256k1Order)
    return failure('MALFORMED', 'r or s of the signature is out of range.')
  if (s > secp256k1Order / 2n)
    return failure('MALLEABLE', 's of the signature is in the upper half of the curve order (EIP-2).')
  return { ok: true, rs: slice(signature, 0, 64), yParity, prefixed: v >= 31 }
}

/** Undefined if r is not the x coordinate of a point: no key made this signature. */
async function tryRecover(recover: RecoverAddress, hash: Hash, signature: Hex): Promise<Address | undefined> {
  try {
    return await recover({ hash, signature })
  } catch {
    return undefined // viem and its curve library have no error class of their own for this
  }
}
