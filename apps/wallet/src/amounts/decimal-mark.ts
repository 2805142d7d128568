import { locale } from '@lanyard/ui'

/** The decimal mark of the person's language. */
export const decimalMark =
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
