import type { Address, Hex } from 'viem'

/** What a rule allows, in the sequence of the contract's `RuleKind`. */
export const ruleKinds = ['native', 'call', 'token'] as const

/**
 * - `native`: empty call data to `target`; to anyone when that is zero.
 * - `call`: `selector` on `target`, with any arguments.
 * - `token`: transfer, transferFrom out of the account, or approve on the token `target`, towards `counterparty`; when
 *   that is zero, anyone.
 */
export type RuleKind = (typeof ruleKinds)[number]

/** One kind of call that a session may make. */
export interface SessionRule {
  readonly kind: RuleKind
  readonly target: Address
  /** 4 bytes; zero for `native`. */
  readonly selector: Hex
  readonly counterparty: Address
  /** Wei that one call may send. */
  readonly maxValue: bigint
}

/** How much a session may spend of one token, all its rules together. */
export interface SessionAllowance {
  /** Zero is the native token. */
  readonly token: Address
  /** Seconds, counted from validAfter; 0: `amount` is the total. */
  readonly period: number
  /** Base units, in each period. */
  readonly amount: bigint
}

/** The limits that the owner signs: the contract's `Session`. */
export interface Session {
  /** Unix seconds. */
  readonly validAfter: number
  /** Unix seconds, included. */
  readonly validUntil: number
  readonly maxOperations: number
  /** Wei; the most that one operation can cost the account in fees. */
  readonly feePerOperation: bigint
  /** The paymaster that operations may name; zero: none. */
  readonly paymaster: Address
  readonly rules: readonly SessionRule[]
  readonly allowances: readonly SessionAllowance[]
}

/** The state of a session on a network. */
export interface SessionState {
  readonly id: Hex
  /** The nonce key of its operations. */
  readonly nonceKey: bigint
  readonly operationsLeft: number
  readonly session: Session
  /** What is left of each allowance in its present period, in the sequence of `session.allowances`. */
  readonly left: readonly bigint[]
}
