import { AmountInput } from '../../amounts/amount-input.tsx'
import type { Currency } from '../../amounts/currency.ts'
import { formatShortAmount, toInput } from '../../amounts/format-amount.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { describeError } from '../../errors/describe-error.ts'
import { t } from '../../i18n/t.ts'
import { balanceOf, useBalances } from '../../networks/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'
import { parseAddress } from '../../recipients/recipient.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import type { Draft } from './draft.ts'
import { maxNativeAmount } from './max-amount.ts'

interface AmountFieldProps {
  readonly network: Network
  readonly currency: Currency
  readonly draft: Draft
  readonly error: string | undefined
  readonly onChange: (amount: string) => void
}

/** The amount to send, with the available balance. */
export function AmountField({ network, currency, draft, error, onChange }: AmountFieldProps) {
  const { account } = useSession()
  const balances = useBalances()
  const balanceIn = (data: typeof balances.data) =>
    balanceOf(
      data?.find(({ chainId }) => chainId === network.chainId),
      currency,
    )
  const balance = balanceIn(balances.data)
  const max = useCancellableMutation({
    mutationFn: async (signal) => {
      // The displayed balance can be a few seconds old, and a fee may have been paid since.
      const available = balanceIn((await balances.refetch({ throwOnError: true })).data) ?? 0n
      if (currency.token) return available
      const typed = draft.chosen ?? parseAddress(draft.recipient)
      const to = 'address' in typed ? typed.address : undefined
      return maxNativeAmount({ account, chainId: network.chainId, balance: available, to, signal })
    },
    onSuccess: (amount) => onChange(toInput(amount, currency.decimals)),
  })
  const hint = max.error
    ? describeError(max.error).title
    : balance === undefined
      ? t('Your balance is unknown at the moment.')
      : t(
          max.isSuccess && !currency.token
            ? '{amount} {symbol} available; the amount leaves enough for the fee'
            : '{amount} {symbol} available',
          { amount: formatShortAmount(balance, currency.decimals), symbol: currency.symbol },
        )

  return (
    <AmountInput
      symbol={currency.symbol}
      value={draft.amount}
      hint={hint}
      error={error}
      onChange={onChange}
      max={{
        label: t('Max: send all {symbol}', { symbol: currency.symbol }),
        busy: max.isPending,
        disabled: balance === undefined,
        onPress: () => max.mutate(),
      }}
    />
  )
}
