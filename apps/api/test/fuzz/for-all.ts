import { relative } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { CorpusKind } from './corpus.ts'
import { settings } from './settings.ts'

/**
 * Checks a property for many requests. A failing request is shrunk. The report contains the seed and the path to
 * reproduce it, and the JSON of a file for `corpus/`.
 */
export async function forAll<T>(
  arbitrary: fc.Arbitrary<T>,
  {
    runs,
    kind,
    check,
  }: {
    readonly runs: number
    /** The kind of request in `corpus.test.ts`. Absent if that test cannot replay it. */
    readonly kind?: CorpusKind
    readonly check: (value: T) => Promise<void>
  },
): Promise<void> {
  const { testPath = '', currentTestName = '' } = expect.getState()
  const result = await fc.check(fc.asyncProperty(arbitrary, check), {
    numRuns: settings.runs(runs),
    seed: settings.seed,
    ...(settings.path !== undefined && { path: settings.path }),
  })
  if (!result.failed) return
  const { counterexample, counterexamplePath, errorInstance, numRuns, seed } = result
  const file = relative(process.cwd(), testPath)
  throw new Error(
    [
      `Run ${numRuns} failed: ${errorInstance instanceof Error ? errorInstance.message : errorInstance}`,
      `Reproduce: FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath} vitest run ${file} -t '${currentTestName}'`,
      `Smallest request: ${JSON.stringify(counterexample?.[0])}`,
      ...(kind === undefined
        ? []
        : [`For corpus/: ${JSON.stringify({ what: '…', kind, case: counterexample?.[0] })}`]),
    ].join('\n'),
  )
}

/** Throws if there are complaints. */
export function expectNone(complaints: readonly string[], context: unknown): void {
  if (complaints.length === 0) return
  throw new Error(`${complaints.join('; ')}\n${JSON.stringify(context)?.slice(0, 2_000)}`)
}
