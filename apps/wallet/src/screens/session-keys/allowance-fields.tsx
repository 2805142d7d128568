import { Field, Select, Textarea } from '@lanyard/ui'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { t } from '../../i18n/t.ts'
import { periods } from '../../session-keys/periods.ts'
import type { AllowanceDraft, Reach } from '../../session-keys/session-draft.ts'
import { Choice } from './choice.tsx'

interface AllowanceFieldsProps {
  readonly symbol: string
  readonly draft: AllowanceDraft
  readonly errors: { readonly amount: string | undefined; readonly recipients: string | undefined }
  readonly onChange: (draft: AllowanceDraft) => void
  /** The options for who may receive it, with their labels. */
  readonly reaches: readonly { readonly value: Reach; readonly label: string }[]
}

/** The amount, period and recipients of an allowance. */
export function AllowanceFields({ symbol, draft, errors, onChange, reaches }: AllowanceFieldsProps) {
  const change = (next: Partial<AllowanceDraft>) => onChange({ ...draft, ...next })
  return (
    <Choice
      label={t('Send {symbol}', { symbol })}
      checked={draft.wanted}
      onChange={(wanted) => change({ wanted })}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <AmountInput
          label={t('{symbol} at most', { symbol })}
          symbol={symbol}
          value={draft.amount}
          hint={undefined}
          error={errors.amount}
          onChange={(amount) => change({ amount })}
        />
        <Field label={t('{symbol}: how often', { symbol })}>
          {(control) => (
            <Select
              {...control}
              className="h-14"
              value={draft.period}
              onChange={(event) => change({ period: Number(event.target.value) })}
            >
              {periods.map(({ seconds, label }) => (
                <option key={seconds} value={seconds}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={t('{symbol}: sent to', { symbol })}>
        {(control) => (
          <Select
            {...control}
            value={draft.reach}
            onChange={({ target: { value } }) =>
              change({ reach: reaches.find((reach) => reach.value === value)?.value ?? 'named' })
            }
          >
            {reaches.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.reach === 'named' && (
        <Field
          label={t('{symbol}: recipients', { symbol })}
          error={errors.recipients}
          hint={t('One address per line.')}
        >
          {(control) => (
            <Textarea
              {...control}
              className="font-mono text-sm"
              value={draft.recipients}
              placeholder="0x…"
              onChange={(event) => change({ recipients: event.target.value })}
            />
          )}
        </Field>
      )}
    </Choice>
  )
}
