import type { Address, Hex } from 'viem'
import type { SendOutcome } from './send-raw-transaction.ts'
import type { TransactionFees } from './transaction-fees.ts'

/** Why a transaction was sent, replaced or not accepted. */
export type SenderReason =
  | ReplacementReason
  | RevertReason
  | Exclude<SendOutcome, 'accepted'>
  | 'new'
  | 'gap'
  | 'own'
  | 'forgotten'
  | 'gas'

/** Why a mined transaction reverted. */
type RevertReason =
  /** Somebody else brought one of its operations to the entry point first. */
  | 'raced'
  /** An operation failed on chain although it had passed the simulation. */
  | 'failed'

/** Why a transaction is replaced. */
export type ReplacementReason =
  /** The market's fees exclude it. */
  | 'fees'
  /** It has waited for longer than usual. */
  | 'age'
  /** Its owner signed another operation with the same nonce. */
  | 'owner'
  /** Another bundler has included one of its operations, so it would revert. */
  | 'raced'

/** What a sender does with a transaction, for logs and metrics. */
export interface SenderEvent {
  readonly kind: SenderEventKind
  readonly reason: SenderReason
  readonly network: number
  readonly sender: Address
  readonly nonce: number
  /** Of one over the limit, the stuck transaction, if there is one. */
  readonly hash?: Hex
  readonly fees: TransactionFees
  /** Milliseconds since the transaction with this nonce was first written. */
  readonly age: number
  /** wei that it costs its sender at most, because its contents do not pay them, or that a reverted or underpaid transaction has cost it. */
  readonly loss: bigint
}

/** Every event, and the reasons that it can have: a metric shows each of them from the start. */
export const senderEvents = {
  /** A new transaction: with contents, an empty one before later nonces, or a call of the sender's own. */
  sent: ['new', 'gap', 'own'],
  /** The same bytes again. */
  resent: ['forgotten'],
  /** The node dropped it and does not take it again: its contents wait again, and its nonce is free. */
  lost: ['nonce-too-high', 'cap-too-low', 'tip-too-low', 'insufficient-funds', 'refused'],
  /** Higher fees at the same nonce. */
  replaced: ['fees', 'age', 'owner', 'raced'],
  /** An empty transaction at the nonce of a stuck one. */
  emptied: ['fees', 'age', 'raced'],
  /** The node did not accept it. */
  refused: [
    'nonce-used',
    'replacement-underpriced',
    'nonce-too-high',
    'cap-too-low',
    'tip-too-low',
    'insufficient-funds',
    'busy',
    'refused',
  ],
  /** It was mined and reverted, so that nobody pays its gas. */
  reverted: ['raced', 'failed'],
  /** It was mined, and its operations paid less than it cost. */
  underpaid: ['gas'],
  /** A replacement, an empty transaction, a call or a settlement waits, because it would cost more than the hourly limit. */
  'over-limit': ['new', 'fees', 'age', 'raced', 'gap', 'own'],
} as const satisfies Record<string, readonly SenderReason[]>

export type SenderEventKind = keyof typeof senderEvents
