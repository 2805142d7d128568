import type { SignedUserOperation } from '@lanyard/accounts'
import type { Address, Hex, StateOverride } from 'viem'

/** An operation to estimate. Its gas limits are ignored, its fees are not; its signature is a stub of full length. */
export interface EstimateRequest {
  readonly operation: SignedUserOperation
  /**
   * Further overrides for the simulation, e.g. a fallback verifier that must not be reached. The sender's balance is
   * overridden anyway, so that it can pay; one that is given here is what the calls find after the prefund was paid.
   */
  readonly stateOverride?: StateOverride
  /**
   * Least verificationGasLimit besides what the account's creation takes, gas: where a signature check cannot be
   * measured with a stub (a chain without the P-256 precompile).
   */
  readonly verificationGasFloor?: bigint
}

/** Gas limits under which the operation passes `handleOps`, and what its calls did in the simulation. */
export interface GasEstimate {
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  /** Only with a paymaster. */
  readonly paymasterVerificationGasLimit?: bigint
  /** Only with a paymaster. */
  readonly paymasterPostOpGasLimit?: bigint
  /** `revertData` is `0x` on success; `decodeRevert` puts it into words. */
  readonly execution: { readonly success: boolean; readonly revertData: Hex }
}

/** Puts user operations on one chain. */
export interface Bundler {
  readonly entryPoint: Address
  /**
   * Gas limits for an operation whose signature is a stub. Works for an account without funds: its balance is
   * overridden.
   *
   * @throws OPERATION_REFUSED, PAYMASTER_REFUSED, REBUILD when the operation cannot validate whatever its gas is.
   */
  estimate(request: EstimateRequest): Promise<GasEstimate>
  /**
   * Hands a signed operation over; resolves when the bundler has it. The same operation again, or one that landed
   * already, is success.
   *
   * @throws REBUILD, INSUFFICIENT_FUNDS, FEE_TOO_LOW, INVALID_SIGNATURE, PAYMASTER_REFUSED, OPERATION_REFUSED when
   * it can never be included as it is; NETWORK_UNAVAILABLE, BUNDLER_UNAVAILABLE when asking again later may help.
   */
  deliver(operation: SignedUserOperation): Promise<void>
  /**
   * One pass that moves what was delivered towards the chain and looks after the relayer's own transactions.
   * Cheap when there is nothing to do. Remote bundlers do this themselves: there it does nothing.
   */
  drive(): Promise<void>
  /**
   * Sends a call of the relayer's own, at the operator's cost. Resolves when the node has it. Absent: the bundler has no
   * relayer of ours.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, SIGNER_UNAVAILABLE, SIGNER_FAILED
   */
  sendOwn?(call: { readonly to: Address; readonly data: Hex }): Promise<void>
}
