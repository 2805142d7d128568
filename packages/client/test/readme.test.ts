// @promise 22
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

test('behavior: the README contains the passkey example whose types are checked', async () => {
  const block = /<!-- same as: (\S+) -->\n```ts\n([\s\S]*?)```/.exec(await read('README.md'))
  expect(block?.[2]).toBe(await read(block?.[1] ?? ''))
})
