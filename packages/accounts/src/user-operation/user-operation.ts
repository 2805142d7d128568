import {
  type Address,
  getAddress,
  type Hex,
  hexToBigInt,
  isAddress,
  type SignedAuthorization,
  size,
  slice,
} from 'viem'
import {
  type PackedUserOperation,
  toPackedUserOperation,
  type UserOperation as UnpackedUserOperation,
} from 'viem/account-abstraction'
import { AccountsError } from '../errors.ts'
import { type Failure, failure } from '../result.ts'
import { assertUint } from '../words.ts'

/**
 * An unsigned user operation for EntryPoint v0.7 or v0.8: the nine fields of the service's interface and
 * `paymasterAndData`. Gas is in units of gas, fees are in wei per gas.
 */
export interface UserOperation {
  readonly sender: Address
  /** Nonce key (192 bits) ‖ sequence (64 bits). */
  readonly nonce: bigint
  /** Factory ‖ factory data while the account is not deployed, else `0x`. */
  readonly initCode: Hex
  readonly callData: Hex
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** `0x`, or paymaster ‖ uint128 verification gas limit ‖ uint128 postOp gas limit ‖ paymaster data. */
  readonly paymasterAndData: Hex
  /** The EntryPoint that it is for. It is no field of the operation, but decides its hash. Absent: v0.7. */
  readonly entryPoint?: Address
}

/** A user operation with the account's signature, ready for a bundler. */
export interface SignedUserOperation extends UserOperation {
  readonly signature: Hex
  /**
   * EIP-7702: delegates the sender in the transaction that carries the operation. Like the signature, it is no part
   * of the hash.
   */
  readonly authorization?: SignedAuthorization
}

/**
 * Rejects an operation with a number that does not fit its field in EntryPoint v0.7's PackedUserOperation.
 *
 * @throws AccountsError OUT_OF_RANGE naming the field.
 */
export function assertFits(operation: UserOperation): void {
  for (const field of ['nonce', 'preVerificationGas'] as const) assertUint(operation[field], 256, field)
  for (const field of [
    'callGasLimit',
    'verificationGasLimit',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
  ] as const)
    assertUint(operation[field], 128, field)
}

/** paymaster (20) ‖ verification gas limit (16) ‖ postOp gas limit (16): UserOperationLib.sol, v0.7. */
const paymasterHeader = { verificationGas: 20, postOpGas: 36, data: 52 } as const

/**
 * The operation in the format of viem and the bundlers' JSON-RPC (ERC-7769): factory and paymaster have their
 * own fields. An unsigned operation gets an empty signature.
 *
 * @throws AccountsError OUT_OF_RANGE for a number that does not fit its packed field; MALFORMED for an
 * `initCode` shorter than a factory or a `paymasterAndData` shorter than its header, on which EntryPoint
 * reverts.
 */
export function unpackUserOperation(
  operation: UserOperation | SignedUserOperation,
): UnpackedUserOperation<'0.7'> {
  const { initCode, paymasterAndData, entryPoint: _, ...rest } = operation as SignedUserOperation
  assertFits(operation)
  return {
    ...rest,
    signature: 'signature' in operation ? operation.signature : '0x',
    ...unpackInitCode(initCode),
    ...unpackPaymasterAndData(paymasterAndData),
  }
}

function unpackInitCode(initCode: Hex): { factory: Address; factoryData: Hex } | undefined {
  if (initCode === '0x') return undefined
  if (size(initCode) < 20)
    throw new AccountsError('MALFORMED', 'initCode is shorter than the address of a factory.')
  return { factory: slice(initCode, 0, 20), factoryData: sliceFrom(initCode, 20) }
}

/**
 * The parts of a `paymasterAndData`.
 *
 * @returns undefined for `0x`: no paymaster.
 * @throws AccountsError MALFORMED when it is shorter than its header of 52 bytes.
 */
export function unpackPaymasterAndData(paymasterAndData: Hex):
  | {
      paymaster: Address
      paymasterVerificationGasLimit: bigint
      paymasterPostOpGasLimit: bigint
      paymasterData: Hex
    }
  | undefined {
  if (paymasterAndData === '0x') return undefined
  const { verificationGas, postOpGas, data } = paymasterHeader
  if (size(paymasterAndData) < data)
    throw new AccountsError('MALFORMED', 'paymasterAndData is shorter than its 52-byte header.')
  return {
    paymaster: slice(paymasterAndData, 0, verificationGas),
    paymasterVerificationGasLimit: hexToBigInt(slice(paymasterAndData, verificationGas, postOpGas)),
    paymasterPostOpGasLimit: hexToBigInt(slice(paymasterAndData, postOpGas, data)),
    paymasterData: sliceFrom(paymasterAndData, data),
  }
}

/** viem's `slice` throws if the result is empty. */
function sliceFrom(value: Hex, start: number): Hex {
  return size(value) === start ? '0x' : slice(value, start)
}

/**
 * The struct that `EntryPoint.handleOps` takes: accountGasLimits = uint128 verificationGasLimit ‖ uint128
 * callGasLimit, gasFees = uint128 maxPriorityFeePerGas ‖ uint128 maxFeePerGas.
 *
 * @throws AccountsError as {@link unpackUserOperation}.
 */
export function packUserOperation(operation: UserOperation | SignedUserOperation): PackedUserOperation {
  return toPackedUserOperation(unpackUserOperation(operation))
}

/**
 * The maximum cost of the operation in wei (EntryPoint v0.7's `_getRequiredPrefund`): all gas limits,
 * including the paymaster's, and preVerificationGas, times maxFeePerGas.
 *
 * @throws AccountsError MALFORMED for a `paymasterAndData` shorter than its header.
 */
export function requiredPrefund(operation: UserOperation): bigint {
  const paymaster = unpackPaymasterAndData(operation.paymasterAndData)
  const gas =
    operation.preVerificationGas +
    operation.verificationGasLimit +
    operation.callGasLimit +
    (paymaster?.paymasterVerificationGasLimit ?? 0n) +
    (paymaster?.paymasterPostOpGasLimit ?? 0n)
  return gas * operation.maxFeePerGas
}

/**
 * `userOp` as the service's endpoints return it. All fields are strings. Numbers are decimal;
 * `initCode` is the factory followed by its data. `paymasterAndData` is present only if the service filled
 * it; otherwise the nine fields and the caller's own `paymasterData` are the whole operation.
 */
export interface WireUserOperation {
  readonly sender: string
  readonly nonce: string
  readonly initCode: string
  readonly callData: string
  readonly callGasLimit: string
  readonly verificationGasLimit: string
  readonly preVerificationGas: string
  readonly maxFeePerGas: string
  readonly maxPriorityFeePerGas: string
  readonly paymasterAndData?: string
}

export type FromWireUserOperationResult =
  | { readonly ok: true; readonly operation: UserOperation }
  | (Failure<'MALFORMED'> & { readonly field: keyof WireUserOperation })

/**
 * Parses a `userOp` of the interface strictly: each field must have the one form that {@link
 * toWireUserOperation} writes, with hex in either case. Decimal strings have no sign, exponent or leading
 * zero and fit the field's type on chain; the checksum of a mixed-case sender is verified. Fields beyond the
 * ten are ignored.
 *
 * @param options.paymasterAndData the caller's own, if the operation's tenth field was left out.
 */
export function fromWireUserOperation(
  wire: WireUserOperation,
  options: { paymasterAndData?: Hex } = {},
): FromWireUserOperationResult {
  try {
    return {
      ok: true,
      operation: {
        sender: readAddress(wire, 'sender'),
        nonce: readUint(wire, 'nonce', 256),
        initCode: readHex(wire, 'initCode'),
        callData: readHex(wire, 'callData'),
        callGasLimit: readUint(wire, 'callGasLimit', 128),
        verificationGasLimit: readUint(wire, 'verificationGasLimit', 128),
        preVerificationGas: readUint(wire, 'preVerificationGas', 256),
        maxFeePerGas: readUint(wire, 'maxFeePerGas', 128),
        maxPriorityFeePerGas: readUint(wire, 'maxPriorityFeePerGas', 128),
        paymasterAndData:
          wire.paymasterAndData === undefined
            ? (options.paymasterAndData ?? '0x')
            : readHex(wire, 'paymasterAndData'),
      },
    }
  } catch (error) {
    if (!(error instanceof MalformedField)) throw error
    return { ...failure('MALFORMED', error.message), field: error.field }
  }
}

type Field = keyof WireUserOperation

class MalformedField extends Error {
  readonly field: Field
  constructor(field: Field, expected: string) {
    super(`${field} is not ${expected}.`)
    this.field = field
  }
}

/** The value may come from anywhere, whatever its type says. */
function readString(wire: WireUserOperation, field: Field): string {
  const value: unknown = wire[field]
  if (typeof value !== 'string') throw new MalformedField(field, 'a string')
  return value
}

function readUint(wire: WireUserOperation, field: Field, bits: number): bigint {
  const value = readString(wire, field)
  // 78 digits hold 2^256; the bound keeps BigInt() from parsing a megabyte.
  if (!/^(0|[1-9]\d{0,77})$/.test(value) || BigInt(value) >> BigInt(bits) !== 0n)
    throw new MalformedField(field, `the decimal string of a uint${bits}`)
  return BigInt(value)
}

function readHex(wire: WireUserOperation, field: Field): Hex {
  const value = readString(wire, field)
  if (!isHexBytes(value)) throw new MalformedField(field, '0x-prefixed hex with whole bytes')
  return value
}

function readAddress(wire: WireUserOperation, field: Field): Address {
  const value = readString(wire, field)
  if (!isAddress(value)) throw new MalformedField(field, 'an address')
  return getAddress(value)
}

function isHexBytes(value: string): value is Hex {
  return /^0x([0-9a-fA-F]{2})*$/.test(value)
}

/**
 * The operation in JSON form. `paymasterAndData` is omitted if it is empty. A caller that supplied its own
 * omits it with `{ ...operation, paymasterAndData: '0x' }`.
 */
export function toWireUserOperation(operation: UserOperation): WireUserOperation {
  return {
    sender: getAddress(operation.sender),
    nonce: operation.nonce.toString(),
    initCode: operation.initCode,
    callData: operation.callData,
    callGasLimit: operation.callGasLimit.toString(),
    verificationGasLimit: operation.verificationGasLimit.toString(),
    preVerificationGas: operation.preVerificationGas.toString(),
    maxFeePerGas: operation.maxFeePerGas.toString(),
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas.toString(),
    ...(operation.paymasterAndData === '0x' ? {} : { paymasterAndData: operation.paymasterAndData }),
  }
}
