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
