import { maximumSpendable } from '@lanyard/smart-balance'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { formatShortAmount, toInput } from '../../amounts/format-amount.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { describeError } from '../../errors/describe-error.ts'
import { t } from '../../i18n/t.ts'
import type { SmartBalanceNetwork } from '../../networks/smart-balance-network.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { fetchTerms } from '../../smart-balance/terms.ts'
import { spendableOf, useDeposits } from '../../smart-balance/use-deposits.ts'
import type { SpendDraft } from './spend-draft.ts'

interface SpendAmountFieldProps {
  readonly network: SmartBalanceNetwork
  readonly draft: SpendDraft
  readonly error: string | undefined
  readonly onChange: (amount: string) => void
}

/** The amount to spend, with the total of all deposits. */
export function SpendAmountField({ network, draft, error, onChange }: SpendAmountFieldProps) {
  const { account } = useSession()
  const deposits = useDeposits()
  const { unit } = network.smartBalance
  const max = useCancellableMutation({
    mutationFn: async (signal) => {
      const { expiresAt: _, ...terms } = await fetchTerms(account, network.chainId, signal)
      return maximumSpendable(terms, draft.type)
    },
    onSuccess: (amount) => onChange(toInput(amount, unit.decimals)),
  })
  const hint = max.error
    ? describeError(max.error).title
    : deposits.data
      ? t('{amount} {symbol} in your combined balance', {
          amount: formatShortAmount(spendableOf(deposits.data), unit.decimals),
          symbol: unit.symbol,
        })
      : t('Your combined balance is unknown at the moment.')
  return (
    <AmountInput
      symbol={unit.symbol}
      value={draft.amount}
      error={error}
      hint={hint}
      onChange={onChange}
      max={{
        label: t('Max: send all {symbol}', { symbol: unit.symbol }),
        busy: max.isPending,
        disabled: !deposits.data,
        onPress: () => max.mutate(),
      }}
    />
  )
}
