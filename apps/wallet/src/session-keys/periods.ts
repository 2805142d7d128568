import { t } from '../i18n/t.ts'
/** The periods of an allowance, in seconds. */
export const periods = [
  { seconds: 3_600, label: t('every hour') },
  { seconds: 86_400, label: t('every day') },
  { seconds: 604_800, label: t('every week') },
  { seconds: 2_592_000, label: t('every 30 days') },
  { seconds: 0, label: t('in total') },
] as const

/** The durations of a session, in seconds. */
export const durations = [
  { seconds: 3_600, label: t('1 hour') },
  { seconds: 86_400, label: t('1 day') },
  { seconds: 604_800, label: t('1 week') },
  { seconds: 2_592_000, label: t('30 days') },
] as const

/** A period as text. A period granted elsewhere can have any length. */
export const periodText = (seconds: number): string =>
  periods.find((period) => period.seconds === seconds)?.label ?? t('every {seconds} seconds', { seconds })
