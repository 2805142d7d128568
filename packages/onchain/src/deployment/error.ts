import { CodedError } from '../coded-error.ts'

/** Why a deployment cannot be planned or continued. */
export type DeploymentErrorCode =
  /** The target is inconsistent: a key in two roles, too few attestors. */
  | 'INVALID_TARGET'
  /** The network lacks a prerequisite; the message names it and the remedy. */
  | 'UNSUPPORTED_NETWORK'
  /** The token has fewer than 6 decimals, or the address is not a token. */
  | 'UNSUPPORTED_TOKEN'
  /** SmartBalance exists with a different owner, token, verifier, EntryPoint or module. */
  | 'PRESENT_DIFFERS'
  /** The owner's account has pending transactions, which may be steps of an earlier run. */
  | 'TRANSACTIONS_PENDING'
  /** The owner's account cannot pay. */
  | 'INSUFFICIENT_FUNDS'
  /** A transaction was included and reverted. */
  | 'STEP_REVERTED'

/** Thrown by everything in `deployment/`. Transport errors are viem's own and pass through. */
export class DeploymentError extends CodedError<DeploymentErrorCode> {
  override readonly name = 'DeploymentError'
}
