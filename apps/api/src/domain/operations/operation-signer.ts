import type { Call, SignedUserOperation, UserOperation } from '@lanyard/accounts'
import type { EstimateRequest, GasEstimate } from '@lanyard/bundler'
import type { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Hex } from 'viem'
import { type AnyWallet, accountOf } from '../accounts/accounts/wallet.ts'
import type { NoncePosition } from './lanes.ts'

/** Unix seconds; 0 means no bound. */
export interface Validity {
  readonly validAfter: number
  readonly validUntil: number
}

/** The signer for which an operation is built: an owner of the account, or what a feature lets sign. */
export interface OperationSigner {
  readonly signMode: OperationRow['sign_mode']
  /** The call data with which the account makes these calls. */
  encodeCallData(calls: readonly Call[], wallet: AnyWallet): Hex
  /** The validity in the signature: the payer's expiry, or a shorter one. */
  validityOf(payer: { readonly validUntil: number }): Validity
  /**
   * A stub for the signature, as long and as costly as a real one.
   *
   * @param payer - `validUntil` in Unix seconds; it is part of the signature's bytes
   * @param operation - the simulated operation
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  stubFor(
    network: Network,
    payer: { readonly validUntil: number },
    operation: Omit<SignedUserOperation, 'signature'>,
  ): Promise<StubbedSignature>
  /** The only nonce that this signer can use; absent: any lane. */
  readonly position?: NoncePosition
  /** JSON that the operation's row stores about the signer; absent: nothing. */
  readonly stored?: object
  /** Rejects an operation that the signer may not sign, once its gas is known. */
  requireAllowed?(operation: UserOperation): void
  /**
   * Explains why the calls revert, if one simulation shows it; absent: the calls are simulated one by one.
   */
  explainRevert?(execution: GasEstimate['execution']): RevertReason
}

export interface RevertReason {
  readonly error: LanyardError
  /** The calls revert regardless of what is included before them, so `allowRevert` does not help. */
  readonly isLasting: boolean
}

/** How an operation with a stub signature is simulated. */
export interface StubbedSignature {
  readonly signature: Hex
  readonly simulation: Required<Pick<EstimateRequest, 'stateOverride'>> &
    Pick<EstimateRequest, 'verificationGasFloor'>
  /** Extra gas of a real signature compared with the stub, for the limits of the same names. */
  readonly shortfall: { readonly verification: bigint; readonly preVerification: bigint }
}

/** What all owners have in common: the account makes the calls itself, and the payer decides the expiry. */
export const ownerSigner = {
  encodeCallData: (calls: readonly Call[], wallet: AnyWallet): Hex => accountOf(wallet).encodeCalls(calls),
  validityOf: ({ validUntil }: { readonly validUntil: number }): Validity => ({ validAfter: 0, validUntil }),
}
