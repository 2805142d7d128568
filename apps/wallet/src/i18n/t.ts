import { createTexts, locale } from '@lanyard/ui'

/** English → the person's language. Empty for English. Texts in modules are looked up once it is loaded. */
export const catalogue: Readonly<Record<string, string>> = locale === 'de' ? (await import('./de.ts')).de : {}

export const { t, rich } = createTexts(catalogue)
