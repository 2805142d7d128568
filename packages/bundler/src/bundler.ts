import type { SignedUserOperation } from '@lanyard/accounts'
import type { Address, Hex, StateOverride } from 'viem'
import type { OwnCall, OwnCallResult } from './embedded/send-own.ts'

/** An operation to estimate. Its gas limits are ignored, its fees are not; its signature is a stub of full length. */
export interface EstimateRequest {
  readonly operation: SignedUserOperation
  /**
   * Further overrides for the simulation, e.g. a fallback verifier that must not be reached. The simulation
   * always overrides the sender's balance so that it can pay; a balance given here is what the calls find
   * after the prefund is paid.
   */
  readonly stateOverride?: StateOverride
  /**
   * Minimum verificationGasLimit in addition to the gas for the account's creation, for a signature check
   * that cannot be measured with a stub (a chain without the P-256 precompile).
   */
  readonly verificationGasFloor?: bigint
  /**
   * Refuses gas that depends on who sends the operation, with which fees and in whose block: the service pays for
   * it, and its calls could use much gas in a simulation and none on chain.
   */
  readonly mustBeSteady?: boolean
  /** The simulation is expected to use much gas, so it is not tried with little first. */
  readonly isCostly?: boolean
}

/** Gas limits under which the operation passes `handleOps`, and what its calls did in the simulation. */
export interface GasEstimate {
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  /** Present only with a paymaster. */
  readonly paymasterVerificationGasLimit?: bigint
  /** Present only with a paymaster. */
  readonly paymasterPostOpGasLimit?: bigint
  /** `revertData` is `0x` on success, and at most 2,048 bytes long; `decodeRevert` describes it in words. */
  readonly execution: { readonly success: boolean; readonly revertData: Hex }
}

/** Submits user operations to one chain. */
export interface Bundler {
  readonly entryPoint: Address
  /**
   * Gas limits for an operation whose signature is a stub. Works for an account without funds: its balance is
   * overridden.
   *
   * @throws OPERATION_REFUSED, PAYMASTER_REFUSED, REBUILD if the operation cannot validate with any amount of
   * gas.
   */
  estimate(request: EstimateRequest): Promise<GasEstimate>
  /**
   * Sends a signed operation to the bundler; resolves once the bundler has accepted it. Delivering the same
   * operation again, or one that is already on chain, succeeds.
   *
   * @param sentBy - who sent it, as in `operations.sent_by`
   * @throws REBUILD, INSUFFICIENT_FUNDS, FEE_TOO_LOW, INVALID_SIGNATURE, PAYMASTER_REFUSED, OPERATION_REFUSED, GAS_OWED
   * if it can never be included as it is; NETWORK_UNAVAILABLE, BUNDLER_UNAVAILABLE if a retry may help.
   */
  deliver(operation: SignedUserOperation, sentBy?: string | null): Promise<void>
  /**
   * Does what `deliver` does, and replaces it, for a bundler whose queue is the table of operations. Because it
   * sends nothing, it can run before the signature is written. Absent if delivering sends the operation.
   *
   * @throws as `deliver`
   */
  check?(operation: SignedUserOperation, sentBy?: string | null): Promise<void>
  /**
   * One pass that moves delivered operations towards the chain and settles, resends or replaces the relayer's
   * own transactions. It is cheap when there is nothing to do. Remote bundlers do this work themselves, so
   * for them it does nothing.
   */
  drive(): Promise<void>
  /**
   * Sends a call from the relayer's own account, at the operator's cost. Resolves once the node has accepted
   * it, or if a transaction with the same intent is on its way. Absent if the bundler does not use our relayers.
   *
   * @returns `waiting` if nothing was signed, because one is on its way
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, SIGNER_UNAVAILABLE, SIGNER_FAILED
   */
  sendOwn?(call: OwnCall): Promise<OwnCallResult>
}
