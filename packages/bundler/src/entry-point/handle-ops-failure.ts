import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { type Hex, isHex } from 'viem'
import { type DecodedRevert, decodeRevert } from '../decode-revert.ts'

interface AaCode {
  readonly code: ErrorCode
  /** The cause and the remedy, for the caller. */
  readonly message: string
}

/**
 * Every refusal of the EntryPoint contracts v0.6 and v0.7 by its code, with its meaning for a caller.
 * Sources: the revert strings of EntryPoint.sol and EntryPointSimulations.sol. Remote bundlers return the
 * same codes in their messages.
 */
export const aaCodes = {
  AA10: { code: 'REBUILD', message: 'The account was deployed meanwhile. Build the operation again.' },
  AA13: { code: 'OPERATION_REFUSED', message: 'The deployment of the account failed or ran out of gas.' },
  AA14: { code: 'OPERATION_REFUSED', message: 'The factory deployed another account than the sender.' },
  AA15: { code: 'OPERATION_REFUSED', message: 'The factory did not deploy the sender.' },
  AA20: {
    code: 'OPERATION_REFUSED',
    message: 'The account is not deployed and the operation does not deploy it. Build it again.',
  },
  AA21: { code: 'INSUFFICIENT_FUNDS', message: 'The account cannot pay for this operation on this network.' },
  AA22: {
    code: 'REBUILD',
    message: 'The signature has expired or is not valid yet. Build the operation again.',
  },
  AA23: { code: 'OPERATION_REFUSED', message: 'The account reverted during validation of the operation.' },
  AA24: { code: 'INVALID_SIGNATURE', message: 'The account does not accept the signature.' },
  AA25: {
    code: 'REBUILD',
    message: 'The nonce was used by another operation. Build the operation again.',
  },
  AA26: {
    code: 'OPERATION_REFUSED',
    message: 'Validation used more than verificationGasLimit. Build the operation again.',
  },
  AA30: { code: 'PAYMASTER_REFUSED', message: 'The paymaster is not deployed.' },
  AA31: { code: 'PAYMASTER_REFUSED', message: "The paymaster's deposit is too low." },
  AA32: {
    code: 'PAYMASTER_REFUSED',
    message: "The paymaster's approval has expired or is not valid yet.",
  },
  AA33: { code: 'PAYMASTER_REFUSED', message: 'The paymaster reverted during validation of the operation.' },
  AA34: { code: 'PAYMASTER_REFUSED', message: "The paymaster's signature is not valid." },
  AA36: { code: 'PAYMASTER_REFUSED', message: 'The paymaster used more than paymasterVerificationGasLimit.' },
  AA40: { code: 'OPERATION_REFUSED', message: 'Validation used more than verificationGasLimit.' },
  AA41: { code: 'OPERATION_REFUSED', message: 'verificationGasLimit is too low.' },
  AA50: { code: 'PAYMASTER_REFUSED', message: "The paymaster's postOp call reverted." },
  AA51: { code: 'OPERATION_REFUSED', message: 'The operation costs more than its prefund.' },
  AA90: { code: 'BUNDLER_FAILED', message: 'The bundler named no beneficiary.' },
  AA91: { code: 'BUNDLER_FAILED', message: 'The beneficiary of the bundler does not accept the fees.' },
  AA92: { code: 'OPERATION_REFUSED', message: 'The operation called into the entry point.' },
  AA93: { code: 'PAYMASTER_REFUSED', message: 'paymasterAndData is shorter than 52 bytes.' },
  AA94: { code: 'OPERATION_REFUSED', message: 'A gas value of the operation exceeds 120 bits.' },
  AA95: {
    code: 'OPERATION_REFUSED',
    message: 'The gas limits of the operation are too high for one transaction.',
  },
  AA96: { code: 'OPERATION_REFUSED', message: 'The signature aggregator is not valid.' },
} as const satisfies Record<string, AaCode>

type AaCodeName = keyof typeof aaCodes

/** Finds the code in a message of EntryPoint or of a bundler, regardless of the surrounding text. */
export function findAaCode(text: string): AaCodeName | undefined {
  const name = /\bAA\d\d\b/.exec(text)?.[0]
  // `in` proves it, but does not narrow a string to the keys of a const object
  return name !== undefined && name in aaCodes ? (name as AaCodeName) : undefined
}

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

/**
 * The error that a caller gets for a refusal of EntryPoint, with EntryPoint's own words as `details.reason`.
 */
export function rejection({ aaCode, reason, inner }: HandleOpsFailure): LanyardError {
  const innerReason = inner ? { innerReason: inner.reason } : {}
  if (!aaCode) {
    return new LanyardError('OPERATION_REFUSED', {
      message: `The entry point rejects this operation: ${reason}.`,
      details: { reason, ...innerReason },
    })
  }
  const { code, message } = aaCodes[aaCode]
  return new LanyardError(code, {
    message: inner ? `${message} Its reason: ${inner.reason}.` : message,
    details: { entryPointCode: aaCode, reason, ...innerReason },
  })
}
