import { username, usernameRefusal } from '@lanyard/contracts'
import { descriptionMessages } from '@lanyard/session-keys'
import { formatMessage } from '@lanyard/ui'
import { literalsOf, messagesOf, namesOf } from '@lanyard/ui/testing'
import { describe, expect, test } from 'vitest'
import { de } from './de.ts'

const sources = new URL('..', import.meta.url)

/** What the service says about a name, as `serviceText` looks it up. */
const nameMessages: readonly string[] = [
  ...['аlice', '0x7099', 'support'].map((name) => usernameRefusal(name, ['support']) ?? ''),
  ...['a'.repeat(65), '\u200b', ' '].flatMap(
    (name) => username.safeParse(name).error?.issues.map(({ message }) => `${message}.`) ?? [],
  ),
  'Another one looks the same.', // of check-username.ts in the api
]

describe('messages', () => {
  const messages = new Set<string>([...messagesOf(sources), ...descriptionMessages, ...nameMessages])

  test('behavior: no text is written beside the catalogue', () => {
    expect(literalsOf(sources)).toEqual([])
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
})
