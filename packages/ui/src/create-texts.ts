import { createElement, Fragment, type ReactNode } from 'react'
import { formatMessage, splitMessage, type Value } from './format-message.ts'
import { locale } from './locale.ts'

/**
 * Makes the functions that look up texts in the person's language. English is written where it is used, and is the
 * key of the other catalogues; a test finds every message that one of them lacks (`@lanyard/ui/testing`).
 *
 * Messages are in ICU MessageFormat, see `format-message.ts`.
 *
 * @param catalogue - English → the person's language. Empty for English
 */
export function createTexts(catalogue: Readonly<Record<string, string>>) {
  const t = (message: string, values: Readonly<Record<string, Value>> = {}): string =>
    formatMessage(catalogue[message] ?? message, values, locale)

  /** Like `t`, for values that are elements. Neighbouring texts become one text node. */
  function rich(message: string, values: Readonly<Record<string, ReactNode | bigint>>): ReactNode {
    const parts: ReactNode[] = []
    for (const piece of splitMessage(catalogue[message] ?? message, values, locale)) {
      const value = 'text' in piece ? piece.text : values[piece.name]
      const last = parts.length - 1
      if (isText(value) && isText(parts[last])) parts[last] = `${parts[last]}${value}`
      else parts.push(typeof value === 'bigint' ? value.toString() : value)
    }
    return createElement(Fragment, null, ...parts)
  }

  return { t, rich }
}

const isText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
