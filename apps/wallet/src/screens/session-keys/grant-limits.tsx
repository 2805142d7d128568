import { Field, Input, Select } from '@lanyard/ui'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { nativeOf } from '../../amounts/currency.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { feeHint } from '../../session-keys/fee-hint.ts'
import { durations } from '../../session-keys/periods.ts'
import type { SessionDraft, SessionDraftErrors } from '../../session-keys/session-draft.ts'
import { useOperationFee } from '../../session-keys/use-operation-fee.ts'

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
