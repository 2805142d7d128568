import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Suite } from '../src/promises/promise.ts'
import { readBench } from '../src/promises/run/read-bench.ts'
import { readMutants } from '../src/promises/run/read-mutants.ts'

const root = mkdtempSync(join(tmpdir(), 'lanyard-kept-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'part/results'), { recursive: true })

const suite: Suite = { runner: 'bench', package: 'part', files: ['results/one.json'] }
const keep = (value: object) => writeFileSync(join(root, 'part/results/one.json'), JSON.stringify(value))

test.each([
  [90, 'passed'],
  [91, 'failed'],
])('readMutants: a floor of %i %%', (floor, state) => {
  const survivors = Array(6).fill({})
  const uncovered = Array(4).fill({})
  keep({ target: 'one', date: '2026-01-02', killed: 85, timedOut: 5, survivors, uncovered, floor })
  expect(readMutants(suite, 9, root)).toMatchObject({
    files: [{ state, passed: 90, failed: 10 }],
    figures: [
      { name: 'one: mutants noticed by a test', value: `90 of 100 (90.0 %, floor ${floor} %), 2026-01-02` },
    ],
  })
})

test.each([
  [{ of: 'ratio', bound: 'at most', value: 0.5 }, 'passed', 'at most 0.5: met'],
  [{ of: 'ratio', bound: 'at least', value: 0.6 }, 'failed', 'at least 0.6: missed'],
  [{ of: 'ours', bound: 'at most', value: 3 }, 'passed', 'at most 3 ms: met'],
] as const)('readBench: %j', (goal, state, words) => {
  const line = { what: 'Build', unit: 'ms', ours: 3, peerName: 'the peer', peer: 6 }
  keep({ date: '2026-01-02', comparisons: [line, { ...line, goal }] })
  expect(readBench(suite, 14, root)).toMatchObject({
    files: [{ counted: 'goals', state }],
    figures: [{ name: 'Build, beside the peer', value: `3 ms, ratio 0.50; goal ${words}, 2026-01-02` }],
  })
})
