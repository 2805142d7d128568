import type { Currency } from '@lanyard/calls'
import { maximumSpendable } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { formatShortAmount, parseAmount, toInput } from '../../amounts/amounts.ts'
import { trpc } from '../../api/trpc.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { describeError } from '../../errors/describe-error.ts'
import { balanceOf, useBalances } from '../../holdings/use-balances.ts'
import { Worth } from '../../holdings/worth.tsx'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { parseAddress } from '../../recipients/recipient.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { fetchTerms } from '../../smart-balance/quote.ts'
import { spendableOf, toTokens, useDeposits } from '../../smart-balance/use-deposits.ts'
import type { Draft } from './draft.ts'
import { isSettled, type PaymentSource } from './payment-source.ts'

interface AmountFieldProps {
  readonly network: Network
  readonly currency: Currency
  readonly source: PaymentSource
  readonly draft: Draft
  readonly error: string | undefined
  readonly onChange: (amount: string) => void
}

/** The amount to send, with what its source has. */
export function AmountField({ network, currency, source, draft, error, onChange }: AmountFieldProps) {
  const { account } = useSession()
  const balances = useBalances()
  const deposits = useDeposits()
  const balanceIn = (data: typeof balances.data) =>
    balanceOf(
      data?.find(({ chainId }) => chainId === network.chainId),
      currency,
    )
  const balance = balanceIn(balances.data)
  const spendable = isSettled(network, currency) && deposits.data ? spendableOf(deposits.data) : 0n
  const max = useCancellableMutation({
    mutationFn: async (signal) => {
      // The displayed balance can be a few seconds old, and a fee may have been paid since.
      const available = balanceIn((await balances.refetch({ throwOnError: true })).data) ?? 0n
      if (!currency.token) {
        const typed = draft.chosen ?? parseAddress(draft.recipient)
        const to = 'address' in typed ? typed.address : undefined
        return maxNativeAmount({ account, chainId: network.chainId, balance: available, to, signal })
      }
      if (!isSettled(network, currency) || spendable === 0n) return available
      const { expiresAt: _, ...terms } = await fetchTerms(account, network.chainId, signal)
      const combined = toTokens(network.smartBalance, maximumSpendable(terms, draft.type))
      // The source of an amount is the one that can pay it.
      return source === 'account' && available > combined ? available : combined
    },
    onSuccess: (amount) => onChange(toInput(amount, currency.decimals)),
  })
  const available =
    source === 'combined' && isSettled(network, currency)
      ? toTokens(network.smartBalance, spendable)
      : balance

  const typed = parseAmount(draft.amount, currency.decimals)
  const hint = max.error
    ? describeError(max.error).title
    : available === undefined
      ? t('Your balance is unknown at the moment.')
      : t(
          source === 'combined'
            ? '{amount} {symbol} in your combined balance'
            : max.isSuccess && !currency.token
              ? '{amount} {symbol} available; the amount leaves enough for the fee'
              : '{amount} {symbol} available',
          { amount: formatShortAmount(available, currency.decimals), symbol: currency.symbol },
        )

  return (
    <AmountInput
      symbol={currency.symbol}
      value={draft.amount}
      hint={
        <>
          {typed.ok && (
            <Worth chainId={network.chainId} currency={currency} amount={typed.value} after=" · " />
          )}
          {hint}
        </>
      }
      error={error}
      onChange={onChange}
      max={{
        label: t('Max: send all {symbol}', { symbol: currency.symbol }),
        busy: max.isPending,
        disabled: available === undefined,
        onPress: () => max.mutate(),
      }}
    />
  )
}

/**
 * The largest native amount that leaves enough for the fee. The current fee is increased by a quarter, since
 * it can change until the operation is built.
 *
 * @returns wei; 0 if the balance does not cover the fee
 */
async function maxNativeAmount({
  account,
  chainId,
  balance,
  to,
  signal,
}: {
  account: Address
  chainId: number
  balance: bigint
  to: Address | undefined
  signal: AbortSignal
}): Promise<bigint> {
  const { result } = await trpc.smartAccount.gasFees.mutate(
    {
      network: chainId,
      walletAddress: account,
      transactionDetails: [{ targetContractAddress: to ?? account, value: '0', encodedData: '0x' }],
    },
    { signal },
  )
  const fee = (BigInt(result) * 5n) / 4n
  return balance > fee ? balance - fee : 0n
}
