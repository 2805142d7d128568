import type { UserOperation } from '@lanyard/accounts'
import { type Address, concat, type Hash, type Hex, keccak256 } from 'viem'
import { encodeUint } from '../bytes.ts'

/**
 * `Operation` of Order.sol: the fixed-size fields of a user operation, with hashes in place of ERC-4337's
 * byte strings.
 */
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
 * The operation in the form used in an order's hash and in a settlement. It does not include
 * `paymasterAndData`, which the order replaces.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that does not fit its field.
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
