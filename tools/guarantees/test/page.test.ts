import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hostileAttempts } from '../src/promises/hostile-callers.ts'
import { promises } from '../src/promises/promises.ts'
import { renderPage } from '../src/promises/report/render-page.ts'
import type { FileOutcome } from '../src/promises/run/outcome.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/promises.md'), 'utf8')
const benchmarks = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')

test('behavior: docs/promises.md is up to date; otherwise run pnpm promises --page', () => {
  expect(page).toBe(renderPage(promises, page, benchmarks))
})

test('behavior: contains no undefined, NaN or [object', () => {
  expect(page).not.toMatch(/undefined|NaN|\[object/)
})

test.each(promises)(
  'behavior: the page has $id $title, and links every test of it',
  ({ id, title, suites }) => {
    const section = page.split(/^## /m).find((one) => one.startsWith(`${id}. ${title}\n`))
    for (const { package: folder, files } of suites) {
      for (const file of files) {
        const path = `${folder}/${file}`
        expect(section).toContain(path.startsWith('docs/') ? `(${file})` : `(../${path})`)
      }
    }
  },
)

test('behavior: every file that the page links to exists', () => {
  const named = [...page.matchAll(/\]\(\.\.\/([^)#]+)/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(promises.length)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

const [first, ...rest] = promises
if (!first) throw new Error('no promises')
const outcomeOf = (path: string, failed: number): FileOutcome => ({
  ...{ file: path, counted: 'tests', passed: 2, failed, milliseconds: 5 },
  state: failed > 0 ? 'failed' : 'passed',
})
const filesOf = ({ suites }: typeof first) =>
  suites.flatMap((suite) => suite.files.map((file) => `${suite.package}/${file}`))

test('behavior: a run changes only its own promises', () => {
  const [file = ''] = filesOf(first)
  const outcome = { files: [outcomeOf(file, 1)], figures: [{ promise: first.id, name: 'kills', value: 7 }] }
  const update = { promises: [first], outcome, date: '2026-01-02', long: true }
  const once = renderPage(promises, '', benchmarks, update)
  expect(once).toContain('| **no** | 2 | 2026-01-02, long |')
  expect(once).toContain('**Not kept** on 2026-01-02, with the long variants: 2 tests passed.')
  expect(once).toContain('| kills | 7 |')
  expect(once).toContain(`- ${file}: 1 of 3 tests failed`)
  expect(once.match(/^Not run yet\.$/gm)).toHaveLength(rest.length)

  const [second] = rest
  if (!second) throw new Error('one promise')
  const files = filesOf(second).map((path) => outcomeOf(path, 0))
  const twice = renderPage(promises, once, benchmarks, {
    ...{ promises: [second], outcome: { files, figures: [] }, date: '2026-01-03', long: false },
  })
  expect(twice).toContain('| **no** | 2 | 2026-01-02, long |')
  expect(twice).toContain('| kills | 7 |')
  expect(twice).toContain(' | 2026-01-03 |')
})

test('behavior: an attack is counted once all of its tests have run, and stays counted', () => {
  const [attempt] = hostileAttempts
  if (!attempt) throw new Error('no attacks')
  const update = (files: readonly FileOutcome[]) => ({
    ...{ promises: [], outcome: { files, figures: [] }, date: '2026-01-02', long: false },
  })
  const all = attempt.files.map((file) => outcomeOf(file, 0))
  const counted = `| ${attempt.number} | ${attempt.attempt} | ${2 * all.length} | 0 |`
  const once = renderPage(promises, '', benchmarks, update(all))
  expect(once).toContain(counted)
  expect(renderPage(promises, once, benchmarks, update(all.slice(1)))).toContain(counted)
  expect(renderPage(promises, '', benchmarks, update(all.slice(1)))).not.toContain(counted)
})

test('behavior: each attack has its victim, and the latency of others if it uses shared resources', () => {
  for (const { number, victim, bench } of hostileAttempts) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${number} |`))
    expect(row).toContain(`100 %: ${victim}`)
    if (bench) expect(row).toMatch(/ \| \d+\.\d\d × \| /)
  }
})
