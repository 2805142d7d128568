import { parseUnits } from 'viem'

export type ParseAmountResult =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly message: string }

/**
 * Parses a typed amount to base units. It does not use floats: `0.1` must be exactly 10^(decimals-1). It
 * rejects a comma, which is a decimal mark in some countries and a thousands separator in others.
 *
 * @param decimals - 18 for native value, otherwise the token's decimals
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
