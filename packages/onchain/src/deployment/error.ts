/** Why a deployment cannot be planned or go on. */
export type DeploymentErrorCode =
  /** The target contradicts itself: a key in two roles, too few attestors. */
  | 'INVALID_TARGET'
  /** The network lacks something that must be there first; the message names it and the way out. */
  | 'UNSUPPORTED_NETWORK'
  /** The token has fewer than 6 decimals, or is no token. */
  | 'UNSUPPORTED_TOKEN'
  /** SmartBalance is there, with another owner, token, verifier, EntryPoint or module than wanted. */
  | 'PRESENT_DIFFERS'
  /** The owner's account still has transactions waiting, which may be steps of an earlier run. */
  | 'TRANSACTIONS_PENDING'
  /** The owner's account cannot pay. */
  | 'INSUFFICIENT_FUNDS'
  /** A transaction was included and reverted. */
  | 'STEP_REVERTED'

/** Thrown by everything in `deployment/`. Transport errors are viem's own and pass through. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError'
  readonly code: DeploymentErrorCode

  constructor(code: DeploymentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
