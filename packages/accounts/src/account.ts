import type { Address, Hash, Hex } from 'viem'
import type { Call } from './call.ts'
import type { AccountOwner } from './owner.ts'
import type { Failure } from './result.ts'
import type { UserOperation } from './user-operation/user-operation.ts'

/** The kinds of accounts. Each has its folder; `toSafeAccount` and `toDelegatedAccount` make them. */
export type AccountKind = 'safe' | 'eip7702'

/** What a signature commits to besides the operation. */
export interface SigningContext {
  readonly chainId: number
  /** Unix seconds; 0: no bound. A kind without bounds in its signatures ignores it. */
  readonly validAfter?: number
  /** Unix seconds; 0: no bound. A kind without bounds in its signatures ignores it. */
  readonly validUntil?: number
}

/** What the owner of an account has to prove in a `userOp.signature`. */
export interface OwnerSignature extends Pick<SigningContext, 'validAfter' | 'validUntil'> {
  /** The owner's signature, as its signer encodes it. */
  readonly signature: Hex
}

/** Which calls an operation makes, or why nobody can tell. */
export type ReadCallsResult = { readonly ok: true; readonly calls: readonly Call[] } | Failure<string>

/**
 * A kind of smart account: all that depends on the account's contracts. What depends on who signs is a signer's,
 * what depends on a chain's state is the caller's.
 */
export interface SmartAccount {
  readonly kind: AccountKind
  /** The EntryPoint that the account's code accepts. */
  readonly entryPoint: Address
  /** The owners that the account's address commits to. */
  readonly owners: readonly AccountOwner[]
  /** Whether the account checks `validAfter` and `validUntil` of a signature. */
  readonly hasValidity: boolean
  /** Whether the account accepts a signature over the EIP-191 hash (`personal_sign`) of {@link hashOperation}. */
  readonly acceptsPersonalSign: boolean
  /** Checksummed; the same on every network. */
  getAddress(): Address
  /** `initCode` of an operation while the account has no code of its own on a network. */
  encodeInitCode(): Hex
  /**
   * The call data that makes `calls` in order, all or none.
   *
   * @throws AccountsError OUT_OF_RANGE for a value over 256 bits.
   */
  encodeCalls(calls: readonly Call[]): Hex
  /** The exact inverse of {@link encodeCalls}. */
  decodeCalls(callData: Hex): ReadCallsResult
  /**
   * The 32 bytes that the owner signs.
   *
   * @throws AccountsError OUT_OF_RANGE for a number that does not fit its field.
   */
  hashOperation(operation: UserOperation, context: SigningContext): Hash
  /** A `userOp.signature` for gas estimation: at least as long and as costly as the first owner's real ones. */
  stubSignature(validity: Omit<OwnerSignature, 'signature'>): Hex
  /** The `userOp.signature` that carries an owner's signature. */
  encodeSignature(signature: OwnerSignature): Hex
  /** The 32 bytes that an owner signs for a message with this hash. */
  hashMessage(messageHash: Hash, context: Pick<SigningContext, 'chainId'>): Hash
  /** The signature of a message as verifiers accept it, by an owner's signature and whether the account has code. */
  encodeMessageSignature(signature: Hex, state: { readonly deployed: boolean }): Hex
}
