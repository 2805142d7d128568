import { recoverFast } from '@lanyard/accounts/recover'
import type { OperationRow } from '@lanyard/database'
import {
  type Address,
  concat,
  getAddress,
  type Hash,
  type Hex,
  hashMessage,
  numberToHex,
  size,
  slice,
} from 'viem'

/** Bytes of the validity that the Safe's module reads before the owner's signature. */
const validityBytes = 12

/** Bytes of a signature's fixed part: r, s and v. */
const fixedBytes = 65

/** `eth_sign` adds this to v. */
const ofMessage = 4

/**
 * The owner that signed an operation, as `Safe.checkNSignatures` reads it from the signature: a contract's address (v is 0), or
 * the address of the key that signed the hash, as it is or as a message. Undefined if the signature is not as this service
 * writes it.
 */
export async function signerOf({
  signature,
  safe_op_hash,
}: Pick<OperationRow, 'signature' | 'safe_op_hash'>): Promise<Address | undefined> {
  const written = signature as Hex | null // the column holds hex
  if (!written || size(written) < fixedBytes) return undefined
  // An EOA that is the account itself signs without a validity.
  const start = size(written) === fixedBytes ? 0 : validityBytes
  if (size(written) < start + fixedBytes) return undefined
  const fixed = slice(written, start, start + fixedBytes)
  const v = Number(slice(fixed, 64))
  if (v === 0) return getAddress(slice(fixed, 12, 32))
  const hash = safe_op_hash as Hash // the column holds 0x and 64 digits
  const isMessage = v > 30
  return recoverFast({
    hash: isMessage ? hashMessage({ raw: hash }) : hash,
    signature: concat([slice(fixed, 0, 64), numberToHex(isMessage ? v - ofMessage : v)]),
  }).catch(() => undefined)
}
