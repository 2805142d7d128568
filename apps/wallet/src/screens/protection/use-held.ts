import { formatShortAmount } from '../../amounts/format-amount.ts'
import { useBalances } from '../../holdings/use-balances.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { totalsOf } from '../home/total.ts'

/** Chain id → what the person has there, an amount a currency. Networks that do not answer are missing. */
export type Held = ReadonlyMap<number, readonly string[]>

/** What would be lost with the account, also what is deposited. */
export function useHeld(): Held {
  const { data: networks = [] } = useNetworks()
  const { data: balances = [] } = useBalances()
  const { data: deposits } = useDeposits()
  const totals = totalsOf(networks, balances, deposits)
  return new Map(
    balances
      .filter(({ available }) => available)
      .map(({ chainId }) => [
        chainId,
        totals.flatMap(({ currency, shares }) =>
          shares
            .filter(({ network }) => network.chainId === chainId)
            .map(({ amount }) => `${formatShortAmount(amount, currency.decimals)} ${currency.symbol}`),
        ),
      ]),
  )
}
