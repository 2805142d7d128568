import { type UserOperation, unpackPaymasterAndData } from '@lanyard/accounts'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { getAddress, numberToHex } from 'viem'
import type { Validity } from '../../domain/operations/signers/signer.ts'

/** A JSON-RPC 2.0 error object. */
export interface RpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** A method's rejection with its own code: of JSON-RPC 2.0, ERC-7769 or EIP-5792. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** JSON-RPC 2.0 §5.1. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** EIP-5792: unknown bundle of calls. */
  unknownBundle: 5730,
} as const

/** ERC-7769. Codes of the service that are not listed become -32603. */
const codes: Partial<Record<ErrorCode, number>> = {
  INVALID_INPUT: rpcCodes.invalidParams,
  UNKNOWN_NETWORK: rpcCodes.invalidParams,
  UNKNOWN_WALLET: rpcCodes.invalidParams,
  UNSUPPORTED_SIGNATURE_TYPE: rpcCodes.invalidParams,
  FEE_TOO_LOW: rpcCodes.invalidParams,
  OPERATION_IN_FLIGHT: rpcCodes.invalidParams,
  TOO_MANY_BUILDS: -32005, // EIP-1474: limit exceeded
  OPERATION_REFUSED: -32500,
  INSUFFICIENT_FUNDS: -32500,
  REBUILD: -32500,
  PAYMASTER_REFUSED: -32501,
  SPONSORSHIP_SUSPENDED: -32501,
  GAS_OWED: -32504,
  UNAUTHORIZED: 4100, // EIP-1193
  FORBIDDEN: 4100,
  INVALID_SIGNATURE: -32507,
  SIGNATURE_OVER_TEXT: -32507,
  SIGNATURE_COMPACT: -32507,
  SIGNATURE_MALLEABLE: -32507,
  VERIFICATION_FAILED: -32507,
  EXECUTION_REVERTED: -32521,
}

/** ERC-7769: the operation is not valid at this time. */
const outOfTime = -32503

/**
 * Converts an error of the service to a bundler's form. If the entry point has a message for it, that comes
 * first: viem derives its error classes from it. `data.code` is the service's code.
 */
export function toRpcError({ code, message, issues, details }: LanyardError): RpcErrorObject {
  const { entryPointCode, reason, ...rest } = details
  const isAboutTime = entryPointCode === 'AA22'
  return {
    code: isAboutTime ? outOfTime : (codes[code] ?? rpcCodes.internalError),
    message: `${entryPointWords(entryPointCode, reason)}${message}`,
    data: { code, ...(issues && { issues }), ...rest, ...(reason !== undefined && { reason }) },
  }
}

/**
 * The error with the data that ERC-7769 adds to its code: the paymaster that rejects the operation, or its
 * validity.
 */
export function aboutOperation(
  error: unknown,
  { paymasterAndData }: Pick<UserOperation, 'paymasterAndData'>,
  validity?: Validity,
): unknown {
  if (!(error instanceof LanyardError)) return error
  const { code, message, issues, details, cause } = error
  const paymaster = code === 'PAYMASTER_REFUSED' && unpackPaymasterAndData(paymasterAndData)?.paymaster
  const more = {
    ...(paymaster && { paymaster: getAddress(paymaster) }),
    ...(details.entryPointCode === 'AA22' && validity && hexOf(validity)),
  }
  return new LanyardError(code, {
    message,
    ...(issues && { issues }),
    details: { ...details, ...more },
    cause,
  })
}

const hexOf = ({ validAfter, validUntil }: Validity) => ({
  validAfter: numberToHex(validAfter),
  validUntil: numberToHex(validUntil),
})

/** The message of EntryPoint v0.7 for a code when only its number is known. */
const words: Readonly<Record<string, string>> = { AA21: "AA21 didn't pay prefund" }

function entryPointWords(entryPointCode: unknown, reason: unknown): string {
  if (typeof entryPointCode !== 'string') return ''
  const said =
    typeof reason === 'string' && reason.startsWith(entryPointCode) ? reason : words[entryPointCode]
  return `${said ?? entryPointCode}: `
}
