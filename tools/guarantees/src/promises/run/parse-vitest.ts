import { relative } from 'node:path'
import type { FileOutcome, FileState } from './outcome.ts'

/** The members of vitest's JSON report that are read. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** Parses the output of vitest's `json` reporter for files below `root`. */
export function parseVitest(text: string, root: string): FileOutcome[] {
  const { testResults }: VitestReport = JSON.parse(text)
  return testResults.map(({ name, status, startTime, endTime, assertionResults }) => {
    const count = (wanted: string) => assertionResults.filter((test) => test.status === wanted).length
    const [passed, failed] = [count('passed'), count('failed')]
    const skipped = assertionResults.length - passed - failed
    // A file that could not be imported has no tests, so its own status shows the failure.
    const state: FileState =
      failed > 0 || (status === 'failed' && passed === 0) || status === 'failed'
        ? 'failed'
        : passed > 0
          ? 'passed'
          : 'skipped'
    return {
      file: relative(root, name),
      counted: 'tests',
      state,
      passed,
      failed,
      ...(skipped > 0 && { skipped }),
      milliseconds: Math.max(0, Math.round(endTime - startTime)),
    }
  })
}
