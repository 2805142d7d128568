import { createElement, Fragment, type ReactNode } from 'react'
import { catalogue } from './catalogue.ts'
import { formatMessage, splitMessage, type Value } from './format-message.ts'
import { locale } from './locale.ts'

/**
 * The text in the person's language. English is written where it is used, and is the key of the other
 * catalogues (`de.ts`); a test finds every message that one of them lacks.
 *
 * @param message - ICU MessageFormat, see `format-message.ts`
 */
export const t = (message: string, values: Readonly<Record<string, Value>> = {}): string =>
  formatMessage(catalogue[message] ?? message, values, locale)

/** Like {@link t}, for values that are elements. Neighbouring texts become one text node. */
export function rich(message: string, values: Readonly<Record<string, ReactNode | bigint>>): ReactNode {
  const parts: ReactNode[] = []
  for (const piece of splitMessage(catalogue[message] ?? message, values, locale)) {
    const value = 'text' in piece ? piece.text : values[piece.name]
    const last = parts.length - 1
    if (isText(value) && isText(parts[last])) parts[last] = `${parts[last]}${value}`
    else parts.push(typeof value === 'bigint' ? value.toString() : value)
  }
  return createElement(Fragment, null, ...parts)
}

const isText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
