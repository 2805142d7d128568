import { formatUnits } from 'viem'

/** Decimals that people read. */
const places = 6

/**
 * Base units with at most six decimals, for people. It cuts instead of rounding, so it never names more than
 * there is; an amount that is smaller than that is `<0.000001`.
 */
export function shortAmount(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  const short = fraction.slice(0, places).replace(/0+$/, '')
  if (short === '' && whole === '0' && amount > 0n) return `<0.${'0'.repeat(places - 1)}1`
  return short === '' ? whole : `${whole}.${short}`
}

/** A language: its texts by the English ones. */
export interface Language {
  readonly locale: string | undefined
  readonly texts: Readonly<Record<string, string>>
}

let language: Language = { locale: undefined, texts: {} }

/** Chooses the language of everything that is said from now on. */
export function speak(next: Language): void {
  language = next
}

/** A text in the reader's language. English is written where it is used, and a test finds what a language lacks. */
export const t = (text: string, values: Readonly<Record<string, string | number | bigint>> = {}): string =>
  (language.texts[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))

/** A time in the reader's language and time zone, such as `December 2, 2026 at 2:00 PM GMT+1`. */
export const timeInWords = (unixSeconds: number): string =>
  new Date(unixSeconds * 1_000).toLocaleString(language.locale, {
    dateStyle: 'long',
    timeStyle: 'short',
  })
