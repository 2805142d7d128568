import type { Address, Hex } from 'viem'

/** Native tokens that the session may pay or send along with calls. */
export interface NativeTokenAllowance {
  readonly type: 'native-token-allowance'
  /** Wei, a decimal string. */
  readonly allowance: string
  /** Seconds; absent: the allowance is the total. */
  readonly period?: number
  /** Recipients of payments. Absent: anyone. Empty: nobody, so the allowance is only for calls with value. */
  readonly to?: readonly Address[]
}

/**
 * Units of a token that the session may transfer. Addresses in `to` may also be approved until the operation
 * ends.
 */
export interface Erc20TokenAllowance {
  readonly type: 'erc20-token-allowance'
  readonly token: Address
  /** Base units, a decimal string. */
  readonly allowance: string
  /** Seconds; absent: the allowance is the total. */
  readonly period?: number
  /** Recipients, which may also be approved. Absent: transfers to anyone, approvals to nobody. */
  readonly to?: readonly Address[]
}

/** Functions that the session may call, with any arguments. */
export interface ContractCall {
  readonly type: 'contract-call'
  readonly target: Address
  /** Signatures, e.g. `transfer(address,uint256)`, or 4-byte selectors. */
  readonly functions: readonly (string | Hex)[]
  /** Wei that one call may send, a decimal string; absent: 0. */
  readonly maxValue?: string
}

/** Total fees that the account may pay for the session's operations. */
export interface GasFeeAllowance {
  readonly type: 'gas-fee-allowance'
  /** Wei, a decimal string. */
  readonly allowance: string
  /** Number of operations that share it evenly; absent: {@link defaultOperations}. */
  readonly operations?: number
}

/** What the owner of an account may allow a session key. */
export type Permission = NativeTokenAllowance | Erc20TokenAllowance | ContractCall | GasFeeAllowance

/** Default number of operations of a session. */
export const defaultOperations = 100
