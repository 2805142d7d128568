import { createTexts, locale } from '@lanyard/ui'

export const { t } = createTexts(locale === 'de' ? (await import('./de.ts')).de : {})
