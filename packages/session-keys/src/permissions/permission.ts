import type { Address, Hex } from 'viem'

/** Native tokens that the session may pay and send along with calls. */
export interface NativeTokenAllowance {
  readonly type: 'native-token-allowance'
  /** Wei, a decimal string. */
  readonly allowance: string
  /** Seconds; without it the allowance is the total. */
  readonly period?: number
  /** Who may be paid. Without it: anyone. Empty: nobody, the allowance is for calls with value alone. */
  readonly to?: readonly Address[]
}

/** Units of a token that the session may transfer and, to those named in `to`, approve until the operation ends. */
export interface Erc20TokenAllowance {
  readonly type: 'erc20-token-allowance'
  readonly token: Address
  /** Base units, a decimal string. */
  readonly allowance: string
  /** Seconds; without it the allowance is the total. */
  readonly period?: number
  /** Recipients, who may also be approved. Without it: transfers to anyone, approvals to nobody. */
  readonly to?: readonly Address[]
}

/** Functions that the session may call, with any arguments. */
export interface ContractCall {
  readonly type: 'contract-call'
  readonly target: Address
  /** Signatures, as `transfer(address,uint256)`, or selectors of 4 bytes. */
  readonly functions: readonly (string | Hex)[]
  /** Wei that one call may send, a decimal string; without it 0. */
  readonly maxValue?: string
}

/** Fees that the account may pay for the session's operations, in all. */
export interface GasFeeAllowance {
  readonly type: 'gas-fee-allowance'
  /** Wei, a decimal string. */
  readonly allowance: string
  /** Among how many operations it is shared evenly; {@link defaultOperations} without it. */
  readonly operations?: number
}

/** What the owner of an account may allow a session key. */
export type Permission = NativeTokenAllowance | Erc20TokenAllowance | ContractCall | GasFeeAllowance

/** How many operations a session has where nothing says otherwise. */
export const defaultOperations = 100
