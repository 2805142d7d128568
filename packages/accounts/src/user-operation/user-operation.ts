import type { Address, Hex, SignedAuthorization } from 'viem'

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
