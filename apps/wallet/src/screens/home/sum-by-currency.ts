import type { Currency } from '../../amounts/currency.ts'
import { balanceOf, type NetworkBalance } from '../../networks/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'

/**
 * Sums over networks. Currencies count as one when symbol and decimals agree: that is what the service's operator
 * calls the settlement token of each network. Tokens first, they are what people count in.
 */
export function sumByCurrency(networks: readonly Network[], balances: readonly NetworkBalance[]) {
  const sums = new Map<string, { currency: Currency; amount: bigint }>()
  for (const { chainId, currencies } of networks) {
    const balance = balances.find((candidate) => candidate.chainId === chainId)
    for (const currency of currencies) {
      const key = `${currency.symbol} ${currency.decimals} ${currency.token ? 'token' : 'native'}`
      const amount = (sums.get(key)?.amount ?? 0n) + (balanceOf(balance, currency) ?? 0n)
      sums.set(key, { currency, amount })
    }
  }
  return [...sums.values()].sort((a, b) => Number(b.currency.token !== undefined) - Number(a.currency.token !== undefined))
}
