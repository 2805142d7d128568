import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The locale of dates in a browser with these languages, on a page in English. */
async function regionOf(...languages: readonly string[]) {
  vi.stubGlobal('navigator', { languages })
  vi.resetModules()
  return (await import('./locale.ts')).regionalLocale
}

test('default: dates follow the region of the page’s language', async () => {
  expect(await regionOf('en-GB', 'en')).toBe('en-GB')
  expect(await regionOf('de-AT', 'en-AU')).toBe('en-AU')
})

test('behavior: a browser without the page’s language has its plain form', async () => {
  expect(await regionOf('fr-FR')).toBe('en')
})
