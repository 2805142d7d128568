import { locale } from '../i18n/locale.ts'

const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** A time in the person's own time zone and language. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
