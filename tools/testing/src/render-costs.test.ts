import { expect, test } from 'vitest'
import { renderCosts, renderFileCosts } from './render-costs.ts'
import type { WholeRun } from './render-summary.ts'

const run = (name: string, passed: number, processorSeconds: number) => ({
  ...{
    folder: '',
    package: '@lanyard/api',
    name,
    passed,
    failed: 0,
    failures: [],
    failedFiles: [],
    skipped: {},
    engines: {},
    started: {},
  },
  ...{ isCached: false, seconds: 2 * processorSeconds, processorSeconds },
})

const whole = (loadBefore: number, factor: number): WholeRun => ({
  ...{
    loadBefore,
    seconds: 100 * factor,
    processorSeconds: 150 * factor,
    seed: '1',
    code: 0,
    outsideOfTests: [],
  },
  runs: [run('tests', 10, 40 * factor), run('browser', 1, 60 * factor), run('forge', 0, 1)],
})

test('default: a column pair for each run, and the most expensive package first', () => {
  expect(renderCosts([whole(0.2, 1), whole(4, 2)])).toBe(
    [
      '| | Tests | Run 1, load before 0.2 | processor | Run 2, load before 4.0 | processor |',
      '|---|---:|---:|---:|---:|---:|',
      '| all | 11 | 100 s | 150 s | 200 s | 300 s |',
      '| api, browser | 1 | 120 s | 60 s | 240 s | 120 s |',
      '| api | 10 | 80 s | 40 s | 160 s | 80 s |',
      '',
    ].join('\n'),
  )
})

test('behavior: files of all packages, the most expensive first, without those of cached packages', () => {
  const runs = [
    { ...run('tests', 2, 9), files: { 'a.test.ts': 1, 'b.test.ts': 3.25 } },
    { ...run('browser', 1, 9), files: { 'c.e2e.ts': 2 } },
    { ...run('tests', 1, 9), isCached: true, files: { 'd.test.ts': 8 } },
  ]
  expect(renderFileCosts(runs)).toBe(
    [
      '| Package | File | Processor |',
      '|---|---|---:|',
      '| api | b.test.ts | 3.3 s |',
      '| api, browser | c.e2e.ts | 2.0 s |',
      '| api | a.test.ts | 1.0 s |',
      '',
    ].join('\n'),
  )
})
