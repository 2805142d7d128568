import { expect, test } from 'vitest'
import type { PackageRun } from '../render-summary.ts'
import type { FailedFile } from '../summary.ts'
import { findReasonsToFail, planRepetitions, type Repeated, renderRepeated } from './verdict.ts'

const failed = (file: string): FailedFile => ({
  ...{ file, command: ['vitest', 'run', file], output: `expected 2 to be 1 in ${file}` },
})

const whole = (files: readonly FailedFile[], outsideOfTests: readonly string[] = []) => {
  const run: PackageRun = {
    ...{ package: '@lanyard/api', folder: 'apps/api', name: 'tests', passed: 9, failed: files.length },
    ...{ failures: files.map(({ output }) => output), failedFiles: files, skipped: {}, engines: {} },
    ...{ started: {}, seconds: 1, isCached: false },
  }
  return { runs: [run], seed: '7', outsideOfTests }
}

const repeat = (files: readonly string[], hasPassed: boolean): Repeated[] =>
  planRepetitions({ fast: whole(files.map(failed)) }).repetitions.map((repetition) => ({
    ...{ ...repetition, second: hasPassed ? '1 passed' : 'expected 2 to be 1', hasPassed },
  }))

test('default: a failed file runs again with the tier and the seed of its run', () => {
  expect(planRepetitions({ fast: whole([failed('a.test.ts')]), rest: whole([]) })).toEqual({
    unrepeatable: [],
    repetitions: [
      {
        ...{ package: '@lanyard/api', folder: 'apps/api', ...failed('a.test.ts') },
        env: { TEST_TIER: 'fast', TEST_SEED: '7' },
      },
    ],
  })
})

test('behavior: a test and an unhandled rejection of one file repeat it once', () => {
  const { repetitions } = planRepetitions({ fast: whole([failed('a.test.ts'), failed('a.test.ts')]) })
  expect(repetitions).toHaveLength(1)
})

test('behavior: what passes alone is unstable, and three of these pass', () => {
  expect(findReasonsToFail(repeat(['a', 'b', 'c'], true), [])).toEqual([])
  expect(renderRepeated(repeat(['a'], true), [])).toContain('Unstable: 1 of at most 3 files.')
})

test('error: four unstable files', () => {
  expect(findReasonsToFail(repeat(['a', 'b', 'c', 'd'], true), [])).toEqual([
    '4 files are unstable; a run passes with at most 3.',
  ])
})

test('error: what fails again', () => {
  const repeated = [...repeat(['a'], true), ...repeat(['b'], false)]
  expect(findReasonsToFail(repeated, [])).toEqual(['@lanyard/api b failed again, alone.'])
  expect(renderRepeated(repeated, [])).toContain('## Failed twice: @lanyard/api b')
})

test('error: a tier that wrote nothing, a failure outside of the tests, and one without a file', () => {
  const { unrepeatable } = planRepetitions({
    ...{
      fast: undefined,
      rest: whole([{ output: 'a worker ended' }], ['@lanyard/wallet#test ended with 1']),
    },
  })
  expect(findReasonsToFail([], unrepeatable)).toEqual([
    'The fast tier wrote no results.',
    'Failed outside of the tests: @lanyard/wallet#test ended with 1.',
    '@lanyard/api: an error that belongs to no file: a worker ended',
  ])
})

test('error: more failures than an unstable test explains are not repeated', () => {
  const many = Array.from({ length: 11 }, (_, index) => failed(`${index}.test.ts`))
  expect(planRepetitions({ fast: whole(many) })).toEqual({
    repetitions: [],
    unrepeatable: ['11 files failed: too many to repeat (at most 10).'],
  })
})
