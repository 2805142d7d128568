import { expect, test } from 'vitest'
import { explain } from './turbo-summary.ts'

const task = (command: string, exitCode: number | undefined) => ({
  ...{ taskId: '@lanyard/wallet#test', package: '@lanyard/wallet', command },
  ...(exitCode !== undefined && { execution: { exitCode } }),
})
const both = 'vitest run; first=$?; node build.ts && vitest run --config e2e.ts && exit $first'
const run = (failed: number) => ({ package: '@lanyard/wallet', failed })

test('default: failed tests explain a failed package', () => {
  expect(explain({ tasks: [task(both, 1)] }, [run(1), run(0)])).toEqual([])
  expect(explain({ tasks: [task(both, 0), task('<NONEXISTENT>', undefined)] }, [])).toEqual([])
})

test('error: a package failed, and none of its tests did', () => {
  expect(explain({ tasks: [task(both, 1)] }, [run(0), run(0)])).toEqual(['@lanyard/wallet#test ended with 1'])
})

test('error: a second suite never ran, although a test of the first one failed', () => {
  expect(explain({ tasks: [task(both, 1)] }, [run(1)])).toEqual([
    '@lanyard/wallet#test: 1 of 2 test runs wrote their results',
  ])
})
