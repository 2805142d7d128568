import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, decodeFunctionData, type Hex } from 'viem'
import type { Currency } from './currency.ts'
import { tryDecode } from './is-same-call.ts'

/** The effect of a SmartBalance call. Its amounts are in `unit`. */
export type SmartBalanceCall =
  | {
      readonly kind: 'deposit'
      readonly amount: bigint
      readonly unit: Currency
      /** Absent if it is the account itself. */
      readonly beneficiary?: Address
    }
  | {
      readonly kind: 'withdraw'
      readonly to: Address
      readonly amount: bigint
      readonly fee: bigint
      readonly unit: Currency
    }
  | { readonly kind: 'claim' }
  | { readonly kind: 'add-signer' | 'remove-signer'; readonly signer: Hex }
  | { readonly kind: 'request-exit'; readonly amount: bigint; readonly unit: Currency }
  | { readonly kind: 'cancel-exit' }
  | { readonly kind: 'finalize-exit'; readonly to: Address }

/** Describes a SmartBalance call. Undefined for functions that an account has no reason to call. */
export function describeSmartBalanceCall(data: Hex, unit: Currency): SmartBalanceCall | undefined {
  const call = tryDecode(() => decodeFunctionData({ abi: smartBalanceAbi, data }))
  switch (call?.functionName) {
    case 'deposit':
      return { kind: 'deposit', amount: call.args[0], unit }
    case 'depositFor':
      return { kind: 'deposit', amount: call.args[1], unit, beneficiary: call.args[0] }
    case 'withdraw':
      return { kind: 'withdraw', to: call.args[0], amount: call.args[1], fee: call.args[2], unit }
    case 'claim':
      return { kind: 'claim' }
    case 'addSigner':
      return { kind: 'add-signer', signer: call.args[0] }
    case 'removeSigner':
      return { kind: 'remove-signer', signer: call.args[0] }
    case 'requestExit':
      return { kind: 'request-exit', amount: call.args[0], unit }
    case 'cancelExit':
      return { kind: 'cancel-exit' }
    case 'finalizeExit':
      return { kind: 'finalize-exit', to: call.args[0] }
    default:
      return undefined
  }
}
