export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]

/** `public/theme.js` finds the language before the first paint: the chosen one, the operator's, the browser's. */
export const locale: Locale =
  locales.find((known) => known === globalThis.document?.documentElement.lang) ?? 'en'

/** The language with the person's region, by which dates are written: 28 November in London, November 28 in New York. */
export const regionalLocale: string =
  globalThis.navigator?.languages?.find((tag) => tag.split('-')[0] === locale) ?? locale

/** Read by `public/theme.js`. */
const key = 'lanyard.language'

/** Changes the language and loads the page again, since texts are fixed when a screen's file loads. */
export function chooseLocale(next: Locale): void {
  try {
    localStorage.setItem(key, next)
  } catch {
    return // storage is blocked: the browser's language stays
  }
  location.reload()
}
