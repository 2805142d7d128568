import type { UserOperation } from '@lanyard/accounts'
import { type Address, concat, type Hash, type Hex, keccak256 } from 'viem'
import { encodeUint } from '../bytes.ts'

/** `Operation` of Order.sol: the fields of a user operation of fixed size, hashed where ERC-4337 has bytes. */
export interface PackedOperation {
  readonly account: Address
  readonly nonce: bigint
  readonly initCodeHash: Hash
  readonly callDataHash: Hash
  /** uint128 verificationGasLimit, then uint128 callGasLimit. */
  readonly accountGasLimits: Hex
  readonly preVerificationGas: bigint
  /** uint128 maxPriorityFeePerGas, then uint128 maxFeePerGas. */
  readonly gasFees: Hex
}

/**
 * The operation as an order's hash and a settlement have it. `paymasterAndData` is not part of it: the order is.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that its field cannot hold.
 */
export function packOperation(operation: Omit<UserOperation, 'paymasterAndData'>): PackedOperation {
  return {
    account: operation.sender,
    nonce: operation.nonce,
    initCodeHash: keccak256(operation.initCode),
    callDataHash: keccak256(operation.callData),
    accountGasLimits: concat([
      encodeUint(operation.verificationGasLimit, 128, 'verificationGasLimit'),
      encodeUint(operation.callGasLimit, 128, 'callGasLimit'),
    ]),
    preVerificationGas: operation.preVerificationGas,
    gasFees: concat([
      encodeUint(operation.maxPriorityFeePerGas, 128, 'maxPriorityFeePerGas'),
      encodeUint(operation.maxFeePerGas, 128, 'maxFeePerGas'),
    ]),
  }
}
