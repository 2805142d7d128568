import { parseUnits } from 'viem'

export type ParseAmountResult =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly message: string }

/**
 * What a person typed as base units of a currency. Never through a float: `0.1` has to be exactly 10^(decimals-1).
 * A comma is refused rather than guessed at, since it is a decimal point to some and a thousands mark to others.
 *
 * @param decimals of the currency: 18 for native value, the token's own otherwise.
 */
export function parseAmount(text: string, decimals: number): ParseAmountResult {
  const typed = text.trim()
  if (typed === '') return refuse('Enter an amount.')
  if (typed.includes(',')) return refuse('Use a point for decimals, and no thousands separators.')
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
