import { parseUnits } from 'viem'
import { t } from '../i18n/t.ts'
import { decimalMark } from './decimal-mark.ts'

export type ParseAmountResult =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly message: string }

/**
 * Parses a typed amount to base units. It does not use floats: `0.1` must be exactly 10^(decimals-1). Point and
 * comma are decimal marks, as in `1,5`. The one that the person's language does not use for decimals is rejected where
 * it could also separate thousands, as in `1,500` in English.
 *
 * @param decimals - 18 for native value, otherwise the token's decimals
 */
export function parseAmount(text: string, decimals: number): ParseAmountResult {
  const given = text.trim()
  if (given === '') return reject(t('Enter an amount.'))
  if (given.split(',').length > 2 || (given.includes(',') && given.includes('.')))
    return reject(t('Leave out thousands separators.'))
  const other = decimalMark === ',' ? '.' : ','
  if (new RegExp(`^[1-9]\\d{0,2}\\${other}\\d{3}$`).test(given))
    return reject(
      t('Is that {whole} or {fraction}? Use “{mark}” for decimals.', {
        whole: given.replace(other, ''),
        fraction: given.replace(other, decimalMark),
        mark: decimalMark,
      }),
    )
  const typed = given.replace(',', '.')
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(typed))
    return reject(t('Enter a number such as {example}.', { example: `0${decimalMark}25` }))
  const [whole = '', fraction = ''] = typed.split('.')
  if (fraction.replace(/0+$/, '').length > decimals)
    return reject(decimals === 0 ? t('Only whole units.') : t('At most {decimals} decimals.', { decimals }))
  if (whole.length > 60) return reject(t('That is more than exists.'))
  return { ok: true, value: parseUnits(`${whole || '0'}.${fraction.slice(0, decimals)}`, decimals) }
}

function reject(message: string): ParseAmountResult {
  return { ok: false, message }
}
