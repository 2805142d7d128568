import { messagesOf, namesOf } from '@lanyard/ui/testing'
import { expect, test } from 'vitest'
import { de } from './de.ts'

test('behavior: every message exists in German, and no other, with the same names', () => {
  expect(Object.keys(de).sort()).toEqual([...messagesOf(new URL('./', import.meta.url))].sort())
  for (const [message, translation] of Object.entries(de))
    expect(namesOf(translation), message).toEqual(namesOf(message))
})
