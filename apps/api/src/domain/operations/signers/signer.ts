import type { Call, SignedUserOperation, UserOperation } from '@lanyard/accounts'
import type { EstimateRequest, GasEstimate } from '@lanyard/bundler'
import type { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address, Hex } from 'viem'
import { type AnyWallet, accountOf } from '../../accounts/accounts/wallet.ts'
import type { NoncePosition } from '../nonces.ts'

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

/**
 * A kind of signer, with both halves of its signature: the stub for which an operation is built, and the real one that
 * is recognised among operations. `ownerSigners` lists the kinds of owners, and the features of operations all kinds.
 */
export interface Signer {
  /** The name of the kind in an operation's row. */
  readonly signMode: OperationRow['sign_mode']
  /** The message for a signature when nothing is built that it could be for. */
  readonly unknown: string
  /** Builds for the owner that the account was created with; undefined if that is another kind. Absent: never an owner. */
  ofFirstOwner?(wallet: AnyWallet): OperationSigner | undefined
  /** Whether a signature as the account takes it has this kind's form. Absent: only the operation's row shows it. */
  hasForm?(signature: Hex): boolean
  /** Builds for the owner that a client's stub of this form names; undefined if the account has no such owner. */
  ofStub?(account: SigningAccount, stub: Hex): Promise<OperationSigner | undefined>
  /** Removes what clients put in front of the signature of this kind, such as the validity. Absent: nothing. */
  split?(given: Hex): GivenSignature
  /**
   * Finds the first candidate for which the signature is valid.
   *
   * @throws INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE
   */
  recognise<Row extends Candidate>(
    candidates: Candidates<Row>,
    account: SigningAccount,
    signature: Hex,
  ): Promise<Recognised<Row>>
  /** The complete `userOp.signature`. */
  encode(row: OperationRow, signature: Hex): Hex
}

/** The account that signs. */
export interface SigningAccount {
  readonly wallet: AnyWallet
  readonly database: Kysely<Database>
  /** The current owners on a network. */
  readonly ownersOn: (network: number) => Promise<readonly Address[]>
  /** True: the first owner is one everywhere, since the chain rejects the operation otherwise. Default: false. */
  readonly acceptsFirstOwner?: boolean
}

export interface GivenSignature {
  readonly signature: Hex
  /** The bounds that the client put in front of the signature, Unix seconds; 0 means no bound. */
  readonly validity?: { readonly validAfter: number; readonly validUntil: number }
}

/** The fields of an operation or message that are needed to match a signature. */
export type Candidate = Pick<OperationRow, 'network' | 'safe_op_hash'> &
  Partial<Pick<OperationRow, 'session_key' | 'user_op_hash'>> & {
    /** The caller of the search, when other callers built the candidate: it is then tried in another thread. */
    readonly searchedBy?: string
  }

/** Candidates to try, read on demand. */
export type Candidates<Row extends Candidate> = Iterable<Row> | AsyncIterable<Row>

export interface Recognised<Row extends Candidate = Candidate> {
  readonly row: Row
  /** The signature as the contract that verifies it takes it. */
  readonly ownerSignature: Hex
  /** The owner in the account's list that signed; absent if the signer is no owner. */
  readonly owner?: Address
}
