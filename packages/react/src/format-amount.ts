import { formatUnits } from 'viem'

/** The language of the page, if it says one; otherwise the browser's. */
export function pageLocale(): string | undefined {
  try {
    const language = globalThis.document?.documentElement.lang.replace('_', '-')
    return language ? Intl.getCanonicalLocales(language)[0] : undefined
  } catch {
    return undefined // no tag of a language (BCP 47)
  }
}

/**
 * An amount of a currency for people, grouped and with the decimal mark of the page's language. It takes text, since a number
 * would lose digits.
 *
 * @param maxDecimals - most decimals shown; the rest is cut
 */
export function formatAmount(amount: bigint, decimals: number, maxDecimals = 6): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  const cut = fraction.slice(0, maxDecimals).replace(/0+$/, '')
  const format = new Intl.NumberFormat(pageLocale())
  const mark = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  const grouped = format.format(BigInt(whole))
  if (cut !== '') return `${grouped}${mark}${cut}`
  // Something is left that has no place.
  return whole === '0' && amount > 0n ? `<0${mark}${'0'.repeat(maxDecimals - 1)}1` : grouped
}
