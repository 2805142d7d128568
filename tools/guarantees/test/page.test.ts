import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readKeptRun } from '../src/promises/kept/kept-run.ts'
import { promises } from '../src/promises/promises.ts'
import { renderPage } from '../src/promises/report/render-page.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/promises.md'), 'utf8')

test('behavior: docs/promises.md is what is declared and kept; else run pnpm promises --page', () => {
  expect(page).toBe(renderPage(promises, readKeptRun))
})

test.each(promises)('behavior: the page has $id $title, and every test of it', ({ id, title, suites }) => {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${id}. ${title}\n`))
  for (const { package: folder, files } of suites)
    for (const file of files) expect(section).toContain(`- \`${folder}/${file}\`: `)
})

test('behavior: every file that the page names exists', () => {
  const named = [...page.matchAll(/^- `([^`]+)`: /gm)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(promises.length)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('behavior: what was not run is said, and what failed', () => {
  const [first, ...rest] = promises
  if (!first) throw new Error('no promises')
  const [suite] = first.suites
  const [file] = suite.files
  const failed = { counted: 'tests', state: 'failed', passed: 2, failed: 1, milliseconds: 5 } as const
  const run = { date: '2026-01-02', node: '24.0.0', processors: 2, long: true, figures: [] }
  const text = renderPage([first, ...rest], (id) =>
    id === first.id ? { ...run, files: [{ file: `${suite.package}/${file}`, ...failed }] } : undefined,
  )
  expect(text).toContain('| **no** | 2 | 0.0 s | 2026-01-02, long |')
  expect(text).toContain(`- \`${suite.package}/${file}\`: 1 of 3 tests failed`)
  expect(text.match(/^Not run yet\.$/gm)).toHaveLength(rest.length)
})
