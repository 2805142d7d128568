import { expect, test } from 'vitest'
import type { PromiseOfQuality } from '../src/promises/promise.ts'
import { judge } from '../src/promises/report/judge.ts'
import type { FileOutcome, RunOutcome } from '../src/promises/run/outcome.ts'

const promise: PromiseOfQuality = {
  id: 4,
  title: 'Bad networks',
  text: 'Bounded time.',
  suites: [{ runner: 'vitest', package: 'apps/api', files: ['test/a.test.ts'], figures: ['requests'] }],
}
const ran = (state: FileOutcome['state'], failed = 0): FileOutcome => ({
  file: 'apps/api/test/a.test.ts',
  counted: 'tests',
  state,
  passed: 3,
  failed,
  milliseconds: 12,
})
const outcome = (file: FileOutcome, figures: RunOutcome['figures'] = []): RunOutcome => ({
  files: [file],
  figures: [{ promise: 4, name: 'requests', value: 7 }, ...figures],
})

test('default: kept if its files passed and reported their figures', () => {
  expect(judge(promise, outcome(ran('passed')))).toMatchObject({
    kept: 'yes',
    problems: [],
    figures: [{ name: 'requests', value: 7 }],
    milliseconds: 12,
  })
})

test('error: broken if a file failed', () => {
  expect(judge(promise, outcome(ran('failed', 1)))).toMatchObject({
    kept: 'no',
    problems: ['apps/api/test/a.test.ts: 1 of 4 tests failed'],
  })
})

test('behavior: a missed goal does not break a promise that has goals', () => {
  const missed = outcome({ ...ran('failed', 1), counted: 'goals' })
  expect(judge({ ...promise, goals: true }, missed)).toMatchObject({
    kept: 'goals missed',
    problems: ['apps/api/test/a.test.ts: 1 of 4 goals missed'],
  })
  expect(judge(promise, missed)).toMatchObject({ kept: 'no' })
  expect(judge({ ...promise, goals: true }, outcome(ran('failed', 1)))).toMatchObject({ kept: 'no' })
})

test('error: in part if some tests of a file could not run', () => {
  expect(judge(promise, outcome({ ...ran('passed'), skipped: 2 }))).toMatchObject({
    kept: 'in part',
    problems: ['apps/api/test/a.test.ts: 3 tests, 2 skipped'],
  })
})

test.each([
  ['nothing of it ran', outcome({ ...ran('skipped'), passed: 0 })],
  ['not run', { files: [], figures: [] }],
] as const)('error: not run if %s', (problem, run) => {
  expect(judge(promise, run)).toMatchObject({
    kept: 'not run',
    problems: [`apps/api/test/a.test.ts: ${problem}`],
  })
})

test('error: in part if a file is in no report, and the others passed', () => {
  const [suite] = promise.suites
  const more = { ...promise, suites: [suite, { ...suite, files: ['test/b.test.ts'], figures: [] }] } as const
  expect(judge(more, outcome(ran('passed')))).toMatchObject({
    kept: 'in part',
    problems: ['apps/api/test/b.test.ts: not run'],
  })
})

test('error: broken if a figure is missing, whatever other promises reported', () => {
  const figures = [{ promise: 5, name: 'requests', value: 7 }]
  expect(judge(promise, { files: [ran('passed')], figures })).toMatchObject({
    kept: 'no',
    problems: ['no figure "requests"'],
  })
})

test('behavior: adds up counts with the same name, and lists texts', () => {
  const figures = [
    { promise: 4, name: 'requests', value: 5 },
    { promise: 4, name: 'slowest', value: '1 s' },
    { promise: 4, name: 'slowest', value: '2 s' },
  ]
  expect(judge(promise, outcome(ran('passed'), figures)).figures).toEqual([
    { name: 'requests', value: 12 },
    { name: 'slowest', value: '1 s; 2 s' },
  ])
})

test('behavior: a file in two suites counts once', () => {
  const [suite] = promise.suites
  const twice = { ...promise, suites: [suite, suite] } as const
  expect(judge(twice, outcome(ran('passed')))).toMatchObject({ files: { length: 1 }, milliseconds: 12 })
})
