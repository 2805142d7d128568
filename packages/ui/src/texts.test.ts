import { describe, expect, test } from 'vitest'
import { literalsOf, messagesOf, namesOf } from '../test/messages.ts'
import { formatMessage } from './format-message.ts'
import { de } from './texts.ts'

describe('texts', () => {
  const sources = new URL('./', import.meta.url)

  test('behavior: no text is written beside the catalogue', () => {
    expect(literalsOf(sources)).toEqual([])
  })

  test('behavior: every message exists in German, and no other', () => {
    expect(Object.keys(de).sort()).toEqual([...messagesOf(sources)].sort())
  })

  test('behavior: a translation has the names of its message', () => {
    for (const [message, translation] of Object.entries(de))
      expect(namesOf(translation), message).toEqual(namesOf(message))
  })
})

describe('formatMessage', () => {
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
