import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address, Hex } from 'viem'
import type { AnyWallet } from '../../accounts/accounts/wallet.ts'
import type { OperationSigner } from '../operation-signer.ts'

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
