import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const sources = join(import.meta.dirname, '..')

/** What makes a key of a text, and fields that hide what is typed. */
const takesKeys = /privateKeyTo(?:Account|Address)|hdKeyToAccount|mnemonicTo\w+|type=["'{]+password/

/** Makes the words itself, and shows them: it reads none. */
const permitted = ['signers/recovery-key/recovery-words.ts']

test('behavior: the wallet, which an operator serves, has no field that takes a raw key', () => {
  const found = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => takesKeys.test(readFileSync(join(sources, name), 'utf8')))
  expect(found).toEqual(permitted)
})
