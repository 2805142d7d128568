/**
 * `userOp` of the service's interface (interface.md §2): all strings. Numbers are decimal; `initCode` is the
 * factory followed by its data. `paymasterAndData` is there only where the service filled it; without it, the
 * nine fields and the caller's own `paymasterData` are the whole operation.
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
