import type { sessionKeysAbi } from '@lanyard/onchain'
import { type Address, type ContractFunctionReturnType, type Hex, hexToBigInt } from 'viem'
import { SessionKeysError } from '../errors.ts'

/** The kinds of rules, in the order of the contract's `RuleKind`. */
export const ruleKinds = ['native', 'call', 'token'] as const

/**
 * The calls that a rule allows.
 *
 * - `native`: empty call data to `target`; if that is zero, to anyone.
 * - `call`: `selector` on `target`, with any arguments.
 * - `token`: transfer, transferFrom out of the account, or approve on the token `target`, towards
 *   `counterparty`; if that is zero, towards anyone.
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

/** How much of one token a session may spend in total, under all its rules. */
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
  /** Unix seconds, inclusive. */
  readonly validUntil: number
  readonly maxOperations: number
  /** Wei; the maximum fee of one operation for the account. */
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
  /** The remainder of each allowance in its current period, in the order of `session.allowances`. */
  readonly left: readonly bigint[]
}

/**
 * The nonce key of a session's operations: the lower 192 bits of its id (`SessionState.id`, or the event
 * `SessionGranted`). Each grant has a new id, so operations of an earlier session of the same key are void.
 */
export function sessionNonceKey(sessionId: Hex): bigint {
  return BigInt.asUintN(192, hexToBigInt(sessionId))
}

/** The result of viem's `readContract` for `SessionKeys.sessionOf`. */
export type SessionStateOnChain = ContractFunctionReturnType<typeof sessionKeysAbi, 'view', 'sessionOf'>

/**
 * Decodes a session from the result of `SessionKeys.sessionOf`.
 *
 * @throws SessionKeysError MALFORMED for an unknown kind of rule.
 */
export function decodeSessionState({ session, ...state }: SessionStateOnChain): SessionState {
  return { ...state, session: { ...session, rules: session.rules.map(decodeRule) } }
}

function decodeRule({ kind, ...rule }: SessionStateOnChain['session']['rules'][number]): SessionRule {
  const name = ruleKinds[kind]
  if (name === undefined) throw new SessionKeysError('MALFORMED', `A rule has the unknown kind ${kind}.`)
  return { kind: name, ...rule }
}
