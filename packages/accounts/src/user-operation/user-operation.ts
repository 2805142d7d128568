import { type Address, type Hex, hexToBigInt, type SignedAuthorization, size, slice } from 'viem'
import {
  type PackedUserOperation,
  toPackedUserOperation,
  type UserOperation as UnpackedUserOperation,
} from 'viem/account-abstraction'
import { AccountsError } from '../errors.ts'
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
