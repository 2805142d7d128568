import { readdirSync, readFileSync } from 'node:fs'
import { username, usernameRefusal } from '@lanyard/contracts'
import { descriptionMessages } from '@lanyard/session-keys'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { de } from './de.ts'
import { formatMessage } from './format-message.ts'

const sources = new URL('..', import.meta.url)

/** The texts of a first argument: a literal, or a choice of literals. */
function textsOf(node: ts.Expression | undefined, place: string): readonly string[] {
  if (node && ts.isStringLiteralLike(node)) return [node.text]
  if (node && ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue, place), ...textsOf(node.whenFalse, place)]
  throw new TypeError(`${place}: t() and rich() take a literal, so that no catalogue lacks it`)
}

/** What the service says about a name, as `serviceText` looks it up. */
const nameMessages: readonly string[] = [
  ...['аlice', '0x7099', 'support'].map((name) => usernameRefusal(name, ['support']) ?? ''),
  ...['a'.repeat(65), '\u200b', ' '].flatMap(
    (name) => username.safeParse(name).error?.issues.map(({ message }) => `${message}.`) ?? [],
  ),
  'Another one looks the same.', // of check-username.ts in the api
]

/** Every message of the wallet, from the calls of `t` and `rich` in its sources. */
function messagesOf(): ReadonlySet<string> {
  const messages = new Set<string>([...descriptionMessages, ...nameMessages])
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || /\.test\.|^i18n\/(?!language)/.test(name)) continue
    const text = readFileSync(new URL(name, sources), 'utf8')
    if (!/\b(t|rich)\(/.test(text)) continue
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest)
    const visit = (node: ts.Node) => {
      if (
        ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        /^(t|rich)$/.test(node.expression.text)
      )
        for (const message of textsOf(node.arguments[0], name)) messages.add(message)
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return messages
}

/** The names in a message, without the words of plural cases. */
const namesOf = (message: string) =>
  [...new Set([...message.matchAll(/\{(\w+)(?:\}|, plural)/g)].map(([, name]) => name))]
    .filter((name) => !new RegExp(`(?:one|other|=\\d+) \\{${name}\\}`).test(message))
    .sort()

/** Attributes whose text people see or hear. */
const shownAttributes =
  /^(title|label|intro|hint|summary|placeholder|alt|term|verb|undone|aria-label|aria-description)$/

/** Text that is written in JSX instead of being passed to `t`. Names and code are not translated. */
function literalsOf(): readonly string[] {
  const found: string[] = []
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx$/.test(name) || /\.test\./.test(name)) continue
    const text = readFileSync(new URL(name, sources), 'utf8')
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest)
    const note = (shown: string) => {
      const words = shown.trim()
      if (/\p{L}{2}/u.test(words) && !untranslated.has(words)) found.push(`${name}: ${words}`)
    }
    const visit = (node: ts.Node) => {
      if (ts.isJsxText(node)) note(node.text)
      if (
        ts.isJsxAttribute(node) &&
        node.initializer &&
        ts.isStringLiteral(node.initializer) &&
        shownAttributes.test(node.name.getText(file))
      )
        note(node.initializer.text)
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

/** The same in every language. */
const untranslated = new Set(['0x'])

describe('messages', () => {
  const messages = messagesOf()

  test('behavior: no text is written beside the catalogue', () => {
    expect(literalsOf()).toEqual([])
  })

  test('behavior: every message exists in German, and no other', () => {
    expect(messages.size).toBeGreaterThan(800)
    expect([...messages].filter((message) => de[message] === undefined)).toEqual([])
    expect(Object.keys(de).filter((message) => !messages.has(message))).toEqual([])
  })

  test('behavior: a translation has the names of its message', () => {
    for (const [message, translation] of Object.entries(de))
      expect(namesOf(translation), message).toEqual(namesOf(message))
  })

  test('behavior: no text shows the syntax of a message', () => {
    for (const [message, translation] of Object.entries(de))
      for (const text of [message, translation]) {
        const values = Object.fromEntries(namesOf(text).map((name) => [name, 2]))
        expect(formatMessage(text, values, 'de')).not.toMatch(/[{}]/)
      }
  })

  test('behavior: plural cases follow the rules of the language', () => {
    const message = '{count, plural, =0 {none} one {# file} other {# files}} in {place}'
    const say = (count: number, locale = 'en') => formatMessage(message, { count, place: 'it' }, locale)
    expect([0, 1, 2, 1_234].map((count) => say(count))).toEqual([
      'none in it',
      '1 file in it',
      '2 files in it',
      '1,234 files in it',
    ])
    expect(say(1_234, 'de')).toBe('1.234 files in it')
    const polish = '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}'
    expect([1, 2, 5, 22].map((count) => formatMessage(polish, { count }, 'pl'))).toEqual([
      '1 plik',
      '2 pliki',
      '5 plików',
      '22 pliki',
    ])
  })

  test('behavior: a missing value leaves nothing, and braces in values are text', () => {
    expect(formatMessage('{a} and {b}', { a: '{b}' }, 'en')).toBe('{b} and ')
  })
})
