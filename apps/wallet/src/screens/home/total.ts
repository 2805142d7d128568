import type { Currency } from '@lanyard/calls'
import { isShown } from '../../amounts/currency.ts'
import { balanceOf, type NetworkBalance } from '../../holdings/use-balances.ts'
import { hasSmartBalance, type Network } from '../../networks/use-networks.ts'
import type { Deposits } from '../../smart-balance/use-deposits.ts'

/** A person's total in one currency. */
export interface Total {
  readonly currency: Currency
  readonly amount: bigint
  /** The total by network, without networks where it is zero. */
  readonly shares: readonly { readonly network: Network; readonly amount: bigint }[]
}

/**
 * Totals of the account and the combined balance over all networks that answer. The first total is in the
 * currency of the combined balance, if there is one. Amounts are in the smallest unit of their currency.
 */
export function totalsOf(
  networks: readonly Network[],
  balances: readonly NetworkBalance[],
  deposits: Deposits | undefined,
): readonly Total[] {
  const totals = new Map<string, { currency: Currency; shares: { network: Network; amount: bigint }[] }>()
  for (const network of networks) {
    const balance = balances.find(({ chainId }) => chainId === network.chainId)
    const deposited = deposits?.deposits.find(({ chainId }) => chainId === network.chainId)?.balance ?? 0n
    for (const currency of network.currencies.filter(isShown)) {
      const key = `${currency.symbol} ${currency.token ? 'token' : 'native'}`
      const total = totals.get(key) ?? { currency, shares: [] }
      const isDeposited =
        currency.token && hasSmartBalance(network) && network.smartBalance.token.token === currency.token
      const held = balanceOf(balance, currency) ?? 0n
      const scale = isDeposited ? 10n ** BigInt(currency.decimals - network.smartBalance.unit.decimals) : 0n
      const finest = total.currency.decimals < currency.decimals ? currency : total.currency
      const toFinest = (amount: bigint, { decimals }: Currency) =>
        amount * 10n ** BigInt(finest.decimals - decimals)
      totals.set(key, {
        currency: finest,
        shares: [
          ...total.shares.map((share) => ({ ...share, amount: toFinest(share.amount, total.currency) })),
          { network, amount: toFinest(held + deposited * scale, currency) },
        ],
      })
    }
  }
  return [...totals.values()]
    .map(({ currency, shares }) => ({
      currency,
      amount: shares.reduce((sum, { amount }) => sum + amount, 0n),
      shares: shares.filter(({ amount }) => amount > 0n),
    }))
    .toSorted((a, b) => Number(!a.currency.token) - Number(!b.currency.token))
}
