import { regionalLocale } from './locale.ts'

const format = new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'medium', timeStyle: 'short' })

const precise = new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'medium', timeStyle: 'medium' })

/**
 * A time in the person's own time zone and language.
 *
 * @param seconds - whether seconds matter. Default: they do not
 */
export function Time({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) {
  return <time dateTime={at}>{(seconds ? precise : format).format(new Date(at))}</time>
}
