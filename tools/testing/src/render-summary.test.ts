import { expect, test } from 'vitest'
import { type PackageRun, renderSummary } from './render-summary.ts'

const run: PackageRun = {
  ...{
    package: '@lanyard/api',
    folder: 'apps/api',
    name: 'tests',
    passed: 3,
    failed: 0,
    failures: [],
    failedFiles: [],
    skipped: {},
    engines: {},
  },
  ...{ started: {}, processorSeconds: 2.5, seconds: 1.25, seed: '7', isCached: false },
}
const whole = { seconds: 61.4, processorSeconds: 99.6, seed: '7', outsideOfTests: [] }

test('default', () => {
  const runs: PackageRun[] = [
    {
      ...run,
      ...{ engines: { pglite: 3, postgresql: 2 }, started: { 'test workers': 2 } },
      files: { 'a.test.ts': 0.5, 'b.test.ts': 1.75 },
    },
    { ...run, package: '@lanyard/wallet', name: 'browser', skipped: { 'no Chromium': 4 } },
    { ...run, package: '@lanyard/contracts', isCached: true },
  ]
  expect(`\n${renderSummary(runs, whole)}`).toMatchInlineSnapshot(`
    "

                               passed  failed  skipped    time  processor
    @lanyard/api                    3       0        0   1.3 s      2.5 s
    @lanyard/wallet (browser)       3       0        4   1.3 s      2.5 s
    @lanyard/contracts              3       0        0  cached

    On PGlite: 3 tests
    On PostgreSQL: 2 tests
    Started: 2 test workers
    Most processor time: @lanyard/api b.test.ts 1.8 s, @lanyard/api a.test.ts 0.5 s
    Skipped 4: no Chromium
    Took 1 min 1 s, and 100 s of processor time.
    9 passed, 0 failed, 4 skipped
    "
  `)
})

test('behavior: a failed run names the package, the seed and each failed test', () => {
  const failures = ['test/pay.test.ts > pays once: expected 2 to be 1']
  const summary = renderSummary([{ ...run, failed: 1, failures }], whole)
  expect(summary).toContain('Failed: @lanyard/api. To draw the same random data again: TEST_SEED=7')
  expect(summary).toContain('  @lanyard/api: test/pay.test.ts > pays once: expected 2 to be 1')
  expect(summary).toContain('3 passed, 1 failed, 0 skipped')
})

test('behavior: a run that failed outside the tests says so', () => {
  const outsideOfTests = ['@lanyard/wallet#test ended with 1']
  expect(renderSummary([run], { ...whole, outsideOfTests })).toContain(
    'Failed outside of the tests, see above: @lanyard/wallet#test ended with 1',
  )
})

test('behavior: without PostgreSQL, says what to do', () => {
  expect(renderSummary([{ ...run, engines: { pglite: 3 } }], whole)).toContain(
    'On PostgreSQL: none. Install it, or set TEST_DATABASE_URL.',
  )
})
