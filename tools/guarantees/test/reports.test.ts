import { expect, test } from 'vitest'
import { choose } from '../src/promises/choose.ts'
import { promises } from '../src/promises/promises.ts'
import { parseForge } from '../src/promises/run/parse-forge.ts'
import { parseVitest } from '../src/promises/run/parse-vitest.ts'

const file = (status: string, ...tests: string[]) => ({
  name: '/repository/apps/api/test/a.test.ts',
  status,
  startTime: 1_000,
  endTime: 1_250.4,
  assertionResults: tests.map((test) => ({ status: test })),
})

test('parseVitest: counts skipped tests of a passed file', () => {
  const result = file('passed', 'passed', 'passed', 'skipped')
  expect(parseVitest(JSON.stringify({ testResults: [result] }), '/repository')).toMatchObject([
    { state: 'passed', passed: 2, skipped: 1 },
  ])
})

test.each([
  ['passed', file('passed', 'passed', 'passed'), 2, 0],
  ['failed', file('failed', 'passed', 'failed'), 1, 1],
  ['skipped', file('passed'), 0, 0],
  ['failed', file('failed'), 0, 0], // could not be imported
  ['failed', file('failed', 'passed'), 1, 0], // afterAll failed
] as const)('parseVitest: %s', (state, result, passed, failed) => {
  expect(parseVitest(JSON.stringify({ testResults: [result] }), '/repository')).toEqual([
    { file: 'apps/api/test/a.test.ts', counted: 'tests', state, passed, failed, milliseconds: 250 },
  ])
})

test('parseForge: returns which folders passed, and the calls of each invariant', () => {
  const call = (name: string, calls: number) => [`test/a/Handler.sol:Handler.${name}`, { calls }]
  const metrics = Object.fromEntries([call('pay', 20), call('exit', 10)])
  const text = JSON.stringify({
    'test/a/A.t.sol:A': {
      test_results: {
        'invariant_sum()': { status: 'Success', kind: { Invariant: { runs: 1, calls: 30, metrics } } },
        'test_any(uint256)': { status: 'Success', kind: { Fuzz: { runs: 64 } } },
      },
    },
    'test/b/B.t.sol:B': { test_results: { 'test_one()': { status: 'Failure', kind: { Unit: {} } } } },
  })
  const { files, figures } = parseForge(text, 13, ['test/a', 'test/b'])
  expect(files).toMatchObject([
    { file: 'test/a', state: 'passed', passed: 2 },
    { file: 'test/b', state: 'failed', failed: 1 },
  ])
  expect(figures.map(({ name, value }) => [name, value])).toEqual([
    ['tests of contracts', 3],
    ['fuzz runs', 64],
    ['A: calls', 30],
    ['A: of each kind', 'exit 10, pay 20'],
  ])
})

test('choose: returns the chosen promises in the order of the table', () => {
  expect(choose(promises, ['8', '4', '--json'])).toMatchObject({
    promises: [{ id: 4 }, { id: 8 }],
    json: true,
    long: false,
  })
  expect(choose(promises, [])).toMatchObject({ promises: { length: promises.length } })
})

test.each([['99'], ['--fast'], ['--page', '4']])('error: choose, %s', (...parameters) => {
  expect(choose(promises, parameters)).toEqual(expect.any(String))
})
