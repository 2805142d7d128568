import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/unstable-tests.md', root), 'utf8')

const rows = page
  .split('\n')
  .filter((line) => /^\| \d{4}-\d\d-\d\d \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, date = '', file = '', test = '', cause = '']) => ({ date, file, test, cause }))

const isUnknown = (cause: string) => cause === '' || cause.startsWith('unknown')

test('behavior: no file is listed twice without a cause', () => {
  const unknown = rows.filter(({ cause }) => isUnknown(cause)).map(({ file }) => file)
  expect(unknown.filter((file, index) => unknown.indexOf(file) !== index)).toEqual([])
})

test('behavior: each file exists', () => {
  const files = rows.map(({ file }) => file.replaceAll('`', ''))
  expect(files.filter((file) => !existsSync(fileURLToPath(new URL(file, root))))).toEqual([])
})
