// @promise 22
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/* Compares the claims of docs/clients.md about clients with the tests that verify them. */

const folder = fileURLToPath(new URL('../../../docs', import.meta.url))
const page = readFileSync(join(folder, 'clients.md'), 'utf8')

/** Tests by label, as the page defines them: `[label]: file "name of the test"`. */
const shown = [...page.matchAll(/^\[([^\]]+)\]: (\S+) "(.+)"$/gm)].map(
  ([, label = '', file = '', name = '']) => ({ label, file, name }),
)

/** The rows of the table below a heading, each as its cells. */
function readTable(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [, , ...rows] = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

const link = /\[[^\]]+\]\[([^\]]+)\]/g
const labelsOf = (cell: string) => [...cell.matchAll(link)].map(([, label]) => label)
/** A cell's text without its links. */
const unlinked = (cell: string) => cell.replaceAll(link, '').replaceAll(/[,\s]/g, '')

const claims = readTable('What works').flatMap(([client = '', ...cells]) =>
  cells.filter((cell) => cell !== '').map((cell) => ({ client, cell })),
)
const parameters = readTable('Parameters that give the same accounts').map(([client = '']) => ({
  client,
  cell: client,
}))

describe.each([...claims, ...parameters])('$client: $cell', ({ cell }) => {
  test('behavior: every word links to a test', () => {
    expect(unlinked(cell)).toBe('')
    const labels = shown.map(({ label }) => label)
    expect(labelsOf(cell).filter((label = '') => !labels.includes(label))).toEqual([])
  })
})

test('behavior: each test label is used, and defined once', () => {
  expect(claims.length).toBeGreaterThan(30)
  const linked = [...claims, ...parameters].flatMap(({ cell }) => labelsOf(cell))
  expect(shown.map(({ label }) => label).toSorted()).toEqual([...new Set(linked)].toSorted())
})

test.each(shown)('behavior: $file has the test "$name"', ({ file, name }) => {
  const path = join(folder, file)
  expect(existsSync(path)).toBe(true)
  const quoted = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const declaration = new RegExp(String.raw`^ *((?:test|chapter)\b.*)\(\s*(['"\`])${quoted}\2,`, 'gm')
  const declarations = [...readFileSync(path, 'utf8').matchAll(declaration)]
  expect(declarations).toHaveLength(1)
  expect(declarations[0]?.[1]).not.toMatch(/\.(skip|todo|fails)\b/)
})
