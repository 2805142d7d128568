import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRows, renderRows, rowOf, scoresOf } from './page-rows.ts'
import { page } from './paths.ts'
import { renderPage } from './render-page.ts'
import { findTarget, targets } from './targets.ts'

const text = readFileSync(page, 'utf8')
const rows = readRows(text)

test('behavior: docs/mutation-testing.md is up to date; otherwise run pnpm mutants --page', () => {
  expect(rows.size).toBeGreaterThan(0)
  expect(text).toBe(renderPage(targets, rows))
})

test.each([...rows])('behavior: %s reached its floor', (name, row) => {
  const target = findTarget(name)
  expect(row.floor).toBe(target.floor)
  expect(scoresOf(row).all).toBeGreaterThanOrEqual(target.floor)
})

test('behavior: the page lists targets that have not run', () => {
  const names = targets.map(({ name }) => name).join(', ')
  expect(renderPage(targets, new Map())).toContain(`Not run yet: ${names}.`)
})

test('behavior: a written row is read back unchanged', () => {
  const place = { file: 'src/a.ts', line: 7, mutator: 'StringLiteral', replacement: 'true' }
  const row = rowOf({
    ...{ target: 'one', date: '2026-01-02', killed: 7, timedOut: 1, spared: 3, floor: 80 },
    survivors: [place],
    uncovered: [place],
  })
  const table = renderRows(new Map([['one', row]]))
  expect(table).toContain('</a>one | 8 | 1 | 1 | 1 | 3 | 80.0 % | 88.9 % | 80 % | 2026-01-02 |')
  expect(readRows(table)).toEqual(new Map([['one', row]]))
})
