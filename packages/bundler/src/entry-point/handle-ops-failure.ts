import { type Hex, isHex } from 'viem'
import { type DecodedRevert, decodeRevert } from '../revert/decode-revert.ts'
import { type AaCodeName, findAaCode } from './aa-codes.ts'

/** Why `handleOps` reverted. */
export interface HandleOpsFailure {
  /** The operation at fault; undefined if the revert names none. */
  readonly index: number | undefined
  readonly aaCode: AaCodeName | undefined
  /** EntryPoint's own words: `AA24 signature error`. */
  readonly reason: string
  /** The revert of the account or the paymaster itself. */
  readonly inner: DecodedRevert | undefined
}

/** Reads the revert data of `handleOps`: FailedOp, FailedOpWithRevert, SignatureValidationFailed or Error(string). */
export function readHandleOpsFailure(data: Hex): HandleOpsFailure {
  const { signature, args = [], reason } = decodeRevert(data)
  const named =
    signature === 'FailedOp(uint256,string)' || signature === 'FailedOpWithRevert(uint256,string,bytes)'
  if (!named) return { index: undefined, aaCode: findAaCode(reason), reason, inner: undefined }
  const [index, text, inner] = args
  return {
    index: Number(index),
    aaCode: findAaCode(String(text)),
    reason: String(text),
    inner: isHex(inner) ? decodeRevert(inner) : undefined,
  }
}
