import type { CallContext, CallDescription } from '@lanyard/calls'
import { type Currency, nativeOf } from '@lanyard/calls'
import { isAddressEqual } from 'viem'
import { balanceOf, type NetworkBalance } from '../holdings/use-balances.ts'

/** The least amount of a currency that remains. */
export interface BalanceAfter {
  readonly currency: Currency
  readonly amount: bigint
}

/**
 * Computes the account's balances after an operation that it pays for itself, for each currency that the
 * operation moves, assuming the maximum `fee`. Returns nothing if a balance is unknown, or if the operation
 * calls a contract, which could move anything.
 */
export function balancesAfter(
  calls: readonly CallDescription[],
  fee: { readonly currency: Currency; readonly amount: bigint },
  balance: NetworkBalance | undefined,
  { account, tokens, smartBalance }: CallContext,
): readonly BalanceAfter[] {
  if (calls.some(({ kind }) => kind === 'contract' || kind === 'act-in-session')) return []
  const spent = (currency: Currency) =>
    calls.reduce((sum, call) => {
      if (call.kind === 'transfer' && isSame(call.currency, currency))
        return isAddressEqual(call.to, account) ? sum : sum + call.amount
      if (call.kind === 'deposit' && smartBalance && isSame(smartBalance.token, currency)) {
        const scale = 10n ** BigInt(smartBalance.token.decimals - smartBalance.unit.decimals)
        return sum + call.amount * scale
      }
      return sum
    }, 0n)
  return [nativeOf(tokens), ...tokens.filter(({ token }) => token)].flatMap((currency) => {
    const held = balanceOf(balance, currency)
    const moved = spent(currency) + (isSame(currency, fee.currency) ? fee.amount : 0n)
    if (held === undefined || moved === 0n) return []
    return [{ currency, amount: held > moved ? held - moved : 0n }]
  })
}

const isSame = (a: Currency, b: Currency) =>
  a.token && b.token ? isAddressEqual(a.token, b.token) : a.token === b.token
