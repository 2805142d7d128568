/** A value of a message. Lists of names and amounts come as text. */
export type Value = string | number | bigint | null | undefined | false

const argument = /\{(\w+)(?:, plural, ((?:\s*(?:=\d+|\w+) \{[^{}]*\})+))?\}/g

/** A piece of a message: text, or the name of a value. */
type Piece = { readonly text: string } | { readonly name: string }

/**
 * Splits a message in the syntax of ICU MessageFormat: `{name}`, and `{count, plural, one {# file} other {# files}}`
 * with the categories of `Intl.PluralRules` or an exact `=0`. Plural cases are resolved and stand as text.
 *
 * @param values - the numbers that plural cases depend on
 */
export function splitMessage(
  message: string,
  values: Readonly<Record<string, unknown>>,
  locale: string,
): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const found of message.matchAll(argument)) {
    const [whole, name = '', cases] = found
    if (found.index > end) pieces.push({ text: message.slice(end, found.index) })
    pieces.push(cases === undefined ? { name } : { text: pluralCase(cases, Number(values[name]), locale) })
    end = found.index + whole.length
  }
  if (end < message.length) pieces.push({ text: message.slice(end) })
  return pieces
}

function pluralCase(cases: string, count: number, locale: string): string {
  const texts = new Map([...cases.matchAll(/(=\d+|\w+) \{([^{}]*)\}/g)].map(([, name, text]) => [name, text]))
  const category = new Intl.PluralRules(locale).select(count)
  const text = texts.get(`=${count}`) ?? texts.get(category) ?? texts.get('other') ?? ''
  return text.replaceAll('#', new Intl.NumberFormat(locale).format(count))
}

/** The message with its values. A value that is missing or false leaves nothing. */
export const formatMessage = (
  message: string,
  values: Readonly<Record<string, Value>>,
  locale: string,
): string =>
  splitMessage(message, values, locale)
    .map((piece) => ('text' in piece ? piece.text : textOf(values[piece.name])))
    .join('')

const textOf = (value: Value) =>
  value === undefined || value === null || value === false ? '' : String(value)
