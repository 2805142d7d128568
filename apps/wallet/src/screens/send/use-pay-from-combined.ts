import { useNavigate } from 'react-router'
import type { Currency } from '../../amounts/currency.ts'
import { parseAmount } from '../../amounts/parse-amount.ts'
import { hasSmartBalance } from '../../networks/smart-balance-network.ts'
import { useBalances } from '../../networks/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { spendableOf, useDeposits } from '../../smart-balance/use-deposits.ts'
import { useStoredDraft } from '../../ui/use-stored-draft.ts'
import { emptySpendDraft } from '../spend/spend-draft.ts'
import type { Draft } from './draft.ts'

/**
 * Finds the source of a payment. The account's own balance on the network is the cheapest, since it costs only the
 * network fee. Without enough of it, or without a coin for the fee, the combined balance pays if it can: the returned
 * function then moves the draft to that form, which shows the price.
 *
 * @param held - the account's balance of the currency there in base units; undefined if unknown
 */
export function usePayFromCombined(
  network: Network,
  currency: Currency,
  held: bigint | undefined,
): (draft: Draft) => boolean {
  const { account } = useSession()
  const { data: balances } = useBalances()
  const { data: deposits } = useDeposits()
  const spend = useStoredDraft(`spend.${account}`, emptySpendDraft)
  const navigate = useNavigate()
  return ({ amount: typed, recipient, chosen }) => {
    if (!hasSmartBalance(network) || currency.token !== network.smartBalance.token.token || !deposits)
      return false
    const { unit } = network.smartBalance
    const amount = parseAmount(typed, unit.decimals)
    if (!amount.ok || amount.value === 0n || amount.value > spendableOf(deposits)) return false
    const scale = 10n ** BigInt(currency.decimals - unit.decimals)
    const balance = balances?.find(({ chainId }) => chainId === network.chainId)
    const isShort = held !== undefined && held < amount.value * scale
    if (!isShort && balance?.native !== 0n) return false
    spend.change({ chainId: network.chainId, type: 'AMOUNT_OUT', amount: typed, recipient, chosen })
    void navigate('/send/anywhere', { state: { insteadOf: network.name } })
    return true
  }
}
