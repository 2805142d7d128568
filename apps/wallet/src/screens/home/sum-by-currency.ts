import type { Currency } from '../../amounts/currency.ts'
import { balanceOf, type NetworkBalance } from '../../networks/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'

/**
 * Sums over networks: what there is before what there is not, then tokens first, since they are what people count in.
 * Amounts of one symbol count as one currency, in the finest of its units: that is what the service's operator calls the settlement token of each network, and it
 * has 6 decimals on some and 18 on others.
 */
export function sumByCurrency(networks: readonly Network[], balances: readonly NetworkBalance[]) {
  const sums = new Map<string, { currency: Currency; amount: bigint }>()
  for (const { chainId, currencies } of networks) {
    const balance = balances.find((candidate) => candidate.chainId === chainId)
    for (const currency of currencies) {
      const key = `${currency.symbol} ${currency.token ? 'token' : 'native'}`
      const last = sums.get(key) ?? { currency, amount: 0n }
      const finest = last.currency.decimals < currency.decimals ? currency : last.currency
      const amount =
        rescale(last.amount, last.currency.decimals, finest.decimals) +
        rescale(balanceOf(balance, currency) ?? 0n, currency.decimals, finest.decimals)
      sums.set(key, { currency: finest, amount })
    }
  }
  const rank = ({ currency, amount }: { currency: Currency; amount: bigint }) =>
    Number(amount === 0n) * 2 + Number(!currency.token)
  return [...sums.values()].sort((a, b) => rank(a) - rank(b))
}

/** To finer units only, so nothing is lost. */
const rescale = (amount: bigint, from: number, to: number) => amount * 10n ** BigInt(to - from)
