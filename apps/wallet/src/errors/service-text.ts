import { catalogue, t } from '../i18n/t.ts'

/**
 * A sentence of the service. Those that people meet are in the catalogues. The others are English, so that another
 * language says who speaks.
 */
export const serviceText = (message: string): string => catalogue[message] ?? t('{message}', { message })
