import { Button, decimalMark, Field, Input } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { t } from '../i18n/t.ts'

interface AmountInputProps {
  readonly label?: string
  readonly symbol: string
  readonly value: string
  readonly hint: ReactNode
  readonly error: string | undefined
  readonly onChange: (amount: string) => void
  /** Absent if there is no maximum to fill in. */
  readonly max?: {
    /** The button's label for screen readers. */
    readonly label: string
    readonly busy?: boolean
    readonly disabled: boolean
    readonly onPress: () => void
  }
}

/** An amount as a person types it, followed by its currency. */
export function AmountInput({
  label = t('Amount'),
  symbol,
  value,
  hint,
  error,
  onChange,
  max,
}: AmountInputProps) {
  return (
    <Field
      label={label}
      error={error}
      hint={hint}
      aside={
        max && (
          <Button
            variant="quiet"
            size="small"
            className="-mr-2.5"
            busy={max.busy ?? false}
            disabled={max.disabled}
            aria-label={max.label}
            onClick={max.onPress}
          >
            {t('Max')}
          </Button>
        )
      }
    >
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            value={value}
            inputMode="decimal"
            placeholder={`0${decimalMark}00`}
            className="figures h-14 pr-[min(5rem,40%)] font-medium text-xl"
            onChange={(event) => onChange(event.target.value)}
          />
          <span
            className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3.5 text-muted"
            aria-hidden="true"
          >
            {symbol}
          </span>
        </div>
      )}
    </Field>
  )
}
