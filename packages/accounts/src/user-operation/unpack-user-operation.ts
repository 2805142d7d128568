import { type Address, type Hex, hexToBigInt, size, slice } from 'viem'
import type { UserOperation as UnpackedUserOperation } from 'viem/account-abstraction'
import { AccountsError } from '../errors.ts'
import { assertFits } from './assert-fits.ts'
import type { SignedUserOperation, UserOperation } from './user-operation.ts'

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
