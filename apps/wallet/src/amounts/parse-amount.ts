import { parseUnits } from 'viem'

export type ParseAmountResult =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly message: string }

/**
 * Parses a typed amount to base units. It does not use floats: `0.1` must be exactly 10^(decimals-1). A comma
 * is a decimal mark, as in `1,5`. It is rejected where it could also separate thousands, as in `1,500`.
 *
 * @param decimals - 18 for native value, otherwise the token's decimals
 */
export function parseAmount(text: string, decimals: number): ParseAmountResult {
  const given = text.trim()
  if (given === '') return refuse('Enter an amount.')
  if (given.split(',').length > 2 || (given.includes(',') && given.includes('.')))
    return refuse('Leave out thousands separators.')
  if (/^[1-9]\d{0,2},\d{3}$/.test(given))
    return refuse(
      `Is that ${given.replace(',', '')} or ${given.replace(',', '.')}? Use a point for decimals.`,
    )
  const typed = given.replace(',', '.')
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(typed)) return refuse('Enter a number such as 0.25.')
  const [whole = '', fraction = ''] = typed.split('.')
  if (fraction.replace(/0+$/, '').length > decimals)
    return refuse(decimals === 0 ? 'Only whole units.' : `At most ${decimals} decimals.`)
  if (whole.length > 60) return refuse('That is more than exists.')
  return { ok: true, value: parseUnits(`${whole || '0'}.${fraction.slice(0, decimals)}`, decimals) }
}

function refuse(message: string): ParseAmountResult {
  return { ok: false, message }
}
