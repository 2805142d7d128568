import type { Call } from '@lanyard/accounts'
import { sessionKeysAbi } from '@lanyard/onchain'
import { type Address, BaseError, decodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'

/** A token, or the native coin, that left an account, or that somebody was approved to take. */
export interface Spending {
  readonly token?: Address
  readonly amount: string
  readonly to: Address
}

/** The calls that a session makes the account execute: the argument of the contract's `execute`. */
export function sessionCalls(calls: readonly Call[]): readonly Call[] {
  const [only] = calls
  const decoded = only && decode(sessionKeysAbi, only.data)
  return decoded?.functionName === 'execute' ? decoded.args[1] : []
}

/** What calls spend, as the contract counts it: value, and tokens that are transferred or approved. */
export function spentBy(calls: readonly Call[]): Spending[] {
  return calls.flatMap(({ to, value, data }) => [
    ...(value > 0n ? [{ amount: String(value), to: getAddress(to) }] : []),
    ...tokensOf(to, data),
  ])
}

function tokensOf(token: Address, data: Hex): Spending[] {
  const decoded = decode(erc20Abi, data)
  switch (decoded?.functionName) {
    case 'transfer':
    case 'approve': {
      const [to, amount] = decoded.args
      return [{ token: getAddress(token), amount: String(amount), to: getAddress(to) }]
    }
    case 'transferFrom': {
      const [, to, amount] = decoded.args
      return [{ token: getAddress(token), amount: String(amount), to: getAddress(to) }]
    }
    default:
      return []
  }
}

function decode<const abi extends typeof erc20Abi | typeof sessionKeysAbi>(abi: abi, data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch (error) {
    if (error instanceof BaseError) return undefined // another function
    throw error
  }
}
