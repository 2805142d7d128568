import { Field, Select, Textarea } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { t } from '../../i18n/t.ts'
import { periods } from '../../session-keys/requested-limits.tsx'
import type { AllowanceDraft, Reach } from '../../session-keys/session-draft.ts'

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

interface ChoiceProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Further fields of the choice. */
  readonly children: ReactNode
}

/** An optional permission of a session. Its limits appear below once it is selected. */
function Choice({ label, checked, onChange, children }: ChoiceProps) {
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-field border border-line p-4">
      <legend className="sr-only">{label}</legend>
      <label className="flex min-h-11 cursor-pointer items-center gap-3 font-medium">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {checked && children}
    </fieldset>
  )
}
