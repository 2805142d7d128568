import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { renderRows } from '../src/mutants/page-rows.ts'
import type { Suite } from '../src/promises/promise.ts'
import { readBench } from '../src/promises/run/read-bench.ts'
import { readMutants } from '../src/promises/run/read-mutants.ts'

const root = mkdtempSync(join(tmpdir(), 'lanyard-kept-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'docs'))

const suite: Suite = { runner: 'bench', package: 'docs', files: ['page.md#one'] }
const write = (text: string) => writeFileSync(join(root, 'docs/page.md'), text)

test.each([
  [90, 'passed'],
  [91, 'failed'],
])('readMutants: a floor of %i %%', (floor, state) => {
  const row = { noticed: 90, endless: 5, survived: 6, unreached: 4, spared: 1, floor, date: '2026-01-02' }
  write(renderRows(new Map([['one', row]])))
  expect(readMutants(suite, 9, root)).toMatchObject({
    files: [{ state, passed: 90, failed: 10 }],
    figures: [
      { name: 'one: mutants noticed by a test', value: `90 of 100 (90.0 %, floor ${floor} %), 2026-01-02` },
    ],
  })
})

test.each([
  [['| Build | 3 ms | 6 (peer) | 0.50 | at most 0.5 | met |', '| Start | 3 ms |  |  |  |  |'], 'passed', 1],
  [
    [
      '| Build | 3 ms |  |  | at most 2, ours | **missed** |',
      '| Read | 1 ms |  |  | at most 2, ours | met |',
    ],
    'failed',
    2,
  ],
] as const)('readBench: %j', (rows, state, goals) => {
  const other = '<a id="two"></a>\n\n| What | 9 ms |  |  | at most 1, ours | **missed** |\n'
  write(['<a id="one"></a>', '', '2026-01-02. A machine.', '', ...rows, '', other].join('\n'))
  expect(readBench(suite, 14, root)).toMatchObject({
    files: [{ counted: 'goals', state }],
    figures: [{ name: 'goals met: one', value: `1 of ${goals}, measured on 2026-01-02` }],
  })
})

test('behavior: a bench that was never measured is in no report', () => {
  write('# Nothing')
  expect(readBench(suite, 14, root)).toEqual({ files: [], figures: [] })
  expect(readMutants(suite, 9, root)).toEqual({ files: [], figures: [] })
})
