import type { Currency } from '@lanyard/calls'
import { Field, Select } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { t } from '../i18n/t.ts'
import { isShown } from './currency.ts'

interface CurrencySelectProps {
  readonly currencies: readonly Currency[] | undefined
  /** The index of the chosen one, or another choice of `children`. */
  readonly value: number | string | undefined
  readonly onChange: (value: string) => void
  /** Further choices. */
  readonly children?: ReactNode
}

/** Selects one of the currencies that the wallet shows. */
export function CurrencySelect({ currencies, value, onChange, children }: CurrencySelectProps) {
  return (
    <Field label={t('Currency')}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {currencies?.map(
            (currency, index) =>
              isShown(currency) && (
                <option key={currency.symbol} value={index}>
                  {currency.symbol}
                </option>
              ),
          )}
          {children}
        </Select>
      )}
    </Field>
  )
}
