import { expect, test } from 'vitest'
import type { PromiseOfQuality } from '../src/promise.ts'
import { judge } from '../src/report/judge.ts'
import type { FileOutcome, RunOutcome } from '../src/run/outcome.ts'

const promise: PromiseOfQuality = {
  id: 4,
  title: 'Bad networks',
  text: 'Bounded time.',
  suites: [{ runner: 'vitest', package: 'apps/api', files: ['test/a.test.ts'], figures: ['requests'] }],
}
const ran = (state: FileOutcome['state'], failed = 0): FileOutcome => ({
  file: 'apps/api/test/a.test.ts',
  state,
  passed: 3,
  failed,
  milliseconds: 12,
})
const outcome = (file: FileOutcome, figures: RunOutcome['figures'] = []): RunOutcome => ({
  files: [file],
  figures: [{ promise: 4, name: 'requests', value: 7 }, ...figures],
})

test('default: kept when its files passed and said what they counted', () => {
  expect(judge(promise, outcome(ran('passed')))).toMatchObject({
    kept: true,
    problems: [],
    figures: [{ name: 'requests', value: 7 }],
    milliseconds: 12,
  })
})

test.each([
  ['failed', 'apps/api/test/a.test.ts: 1 failed'],
  ['skipped', 'apps/api/test/a.test.ts: nothing of it ran'],
] as const)('behavior: broken when a file %s', (state, problem) => {
  const verdict = judge(promise, outcome(ran(state, state === 'failed' ? 1 : 0)))
  expect(verdict).toMatchObject({ kept: false, problems: [problem] })
})

test('behavior: broken when a file is in no report', () => {
  expect(judge(promise, { files: [], figures: outcome(ran('passed')).figures })).toMatchObject({
    kept: false,
    problems: ['apps/api/test/a.test.ts: there is no such test'],
  })
})

test('behavior: broken when a figure is missing, whatever other promises reported', () => {
  const figures = [{ promise: 5, name: 'requests', value: 7 }]
  expect(judge(promise, { files: [ran('passed')], figures })).toMatchObject({
    kept: false,
    problems: ['no figure "requests"'],
  })
})

test('behavior: counts of one name are added up, texts stand side by side', () => {
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
