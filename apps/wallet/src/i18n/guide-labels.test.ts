import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { de } from './de.ts'

const root = join(import.meta.dirname, '../../../..')

/** Bold words that stress something, or are labels of another maker's screen. All others are labels of the wallet. */
const otherwise = new Set([
  'EOA',
  'Passkeys belong to this domain forever',
  'Passwords',
  'Send nothing to it on this network',
  'Settings',
  'move everything',
  'passkey',
  'passwords.google.com',
])

/** Bold texts within a sentence. At the beginning of a line or a cell they are a heading, and with a full stop a warning. */
const labelsOf = (text: string) =>
  text.split('\n').flatMap((line) =>
    [...line.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(({ 1: label = '', index }) => {
      const before = line.slice(0, index)
      return /(^\s*([-*]|\d+\.)?|\|)\s*$/.test(before) || label.endsWith('.') ? [] : [label]
    }),
  )

test('behavior: a label that a guide names is a text of the wallet', () => {
  const named = globSync('docs/guides/*.md', { cwd: root }).flatMap((guide) =>
    labelsOf(readFileSync(join(root, guide), 'utf8')).map((label) => ({ guide, label })),
  )
  expect(named.filter(({ label }) => label in de).length).toBeGreaterThan(5)
  expect(named.filter(({ label }) => !(label in de) && !otherwise.has(label))).toEqual([])
  const labels = new Set(named.map(({ label }) => label))
  expect([...otherwise].filter((label) => !labels.has(label))).toEqual([])
})
