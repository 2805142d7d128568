import { type Currency, nativeOf } from '@lanyard/calls'
import { Field, Input, Select } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { formatShortAmount, parseAmount } from '../../amounts/amounts.ts'
import { trpc } from '../../api/trpc.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { durations } from '../../session-keys/requested-limits.tsx'
import type { SessionDraft, SessionDraftErrors } from '../../session-keys/session-draft.ts'
import { useSession } from '../../sign-in/session-context.tsx'

interface GrantLimitsProps {
  readonly network: Pick<Network, 'chainId' | 'currencies'>
  readonly draft: SessionDraft
  readonly errors: SessionDraftErrors
  readonly onChange: (change: Partial<SessionDraft>) => void
}

/** The limits of the whole session: time, fees, number of operations. */
export function GrantLimits({ network, draft, errors, onChange }: GrantLimitsProps) {
  const { data: cost } = useOperationFee(network.chainId)
  const native = nativeOf(network.currencies)
  return (
    <section aria-labelledby="limits" className="grid gap-4">
      <h3 id="limits" className="font-medium">
        {t('Overall limits')}
      </h3>
      <Field label={t('Duration')}>
        {(control) => (
          <Select
            {...control}
            value={draft.duration}
            onChange={(event) => onChange({ duration: Number(event.target.value) })}
          >
            {durations.map(({ seconds, label }) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <AmountInput
          label={t('Network fees in total, at most')}
          symbol={native.symbol}
          value={draft.fees}
          hint={feeHint(draft, native, cost)}
          error={errors.fees}
          onChange={(fees) => onChange({ fees })}
        />
        <Field label={t('Transactions, at most')} error={errors.operations}>
          {(control) => (
            <Input
              {...control}
              className="figures h-14"
              inputMode="numeric"
              value={draft.operations}
              onChange={(event) => onChange({ operations: event.target.value })}
            />
          )}
        </Field>
      </div>
    </section>
  )
}

/**
 * The current maximum cost of a plain operation of the account in wei, as a reference for a session's fee
 * limit.
 */
function useOperationFee(chainId: number) {
  const { account } = useSession()
  return useQuery({
    queryKey: ['operation-fee', account, chainId],
    queryFn: async ({ signal }) => {
      const { result } = await trpc.smartAccount.gasFees.mutate(
        {
          network: chainId,
          walletAddress: account,
          transactionDetails: [{ targetContractAddress: account, value: '0', encodedData: '0x' }],
        },
        { signal },
      )
      return BigInt(result)
    },
    staleTime: 60_000,
  })
}

/**
 * Compares a draft's fee limit for each transaction with the cost of one. A session with a lower limit can do
 * nothing.
 *
 * @param cost - wei; undefined if unknown
 */
export function feeHint(
  { fees, operations }: Pick<SessionDraft, 'fees' | 'operations'>,
  native: Currency,
  cost?: bigint,
): string {
  const text = (amount: bigint) =>
    `${formatShortAmount(amount, native.decimals, { places: 6 })} ${native.symbol}`
  const parsed = parseAmount(fees, native.decimals)
  const count = /^[1-9]\d{0,6}$/.test(operations.trim()) ? BigInt(operations) : 0n
  if (!parsed.ok || count === 0n) return t('Shared evenly among the transactions.')
  const share = parsed.value / count
  const each = t('{text} for each transaction', { text: text(share) })
  if (cost === undefined) return `${each}.`
  return share < cost
    ? t('Only {each}; one costs up to {text} now.', { each, text: text(cost) })
    : t('{each}, where one costs up to {text} now.', { each, text: text(cost) })
}
