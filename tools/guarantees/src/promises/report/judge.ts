import type { Figure } from '@lanyard/testing'
import type { PromiseOfQuality } from '../promise.ts'
import { type FileOutcome, pathOf, type RunOutcome } from '../run/outcome.ts'

/** The result of a run for one promise. */
export interface Verdict {
  readonly id: number
  readonly title: string
  readonly text: string
  /** `in part`: nothing failed, but not everything ran. `goals missed`: the promise itself is kept. */
  readonly kept: 'yes' | 'no' | 'goals missed' | 'in part' | 'not run'
  /** The reasons if it is not kept. */
  readonly problems: readonly string[]
  readonly files: readonly FileOutcome[]
  readonly figures: readonly Pick<Figure, 'name' | 'value'>[]
  readonly milliseconds: number
}

/**
 * A promise is kept if each of its files ran and passed, and each required figure was reported. A promise
 * with goals is also kept if the measurements miss them.
 */
export function judge(promise: PromiseOfQuality, outcome: RunOutcome): Verdict {
  const found = promise.suites.flatMap((suite) =>
    suite.files.map((file): FileOutcome => {
      const path = pathOf(suite, file)
      const missing = { state: 'missing', passed: 0, failed: 0, milliseconds: 0 } as const
      const ran = outcome.files.find((one) => one.file === path)
      return ran ?? { file: path, counted: 'tests', ...missing }
    }),
  )
  const files = [...new Map(found.map((file) => [file.file, file])).values()]
  const figures = outcome.figures.filter((figure) => figure.promise === promise.id)
  const reported = new Set(figures.map(({ name }) => name))
  const lacking = promise.suites
    .filter((suite) => suite.files.every((file) => stateOf(files, pathOf(suite, file)) === 'passed'))
    .flatMap((suite) => suite.figures ?? [])
    .filter((name) => !reported.has(name))
  const problems = [
    ...files.flatMap((file) =>
      file.state === 'passed' && !file.skipped ? [] : [`${file.file}: ${describe(file)}`],
    ),
    ...lacking.map((name) => `no figure "${name}"`),
  ]
  return {
    id: promise.id,
    title: promise.title,
    text: promise.text,
    kept: keptBy(promise, files, lacking),
    problems,
    files,
    figures: sumEqual(figures),
    milliseconds: files.reduce((sum, file) => sum + file.milliseconds, 0),
  }
}

function keptBy(
  { goals = false }: PromiseOfQuality,
  files: readonly FileOutcome[],
  lacking: readonly string[],
): Verdict['kept'] {
  const failed = files.filter(({ state }) => state === 'failed')
  const missed = goals ? failed.filter(({ counted }) => counted === 'goals') : []
  if (failed.length > missed.length || lacking.length > 0) return 'no'
  const passed = files.filter(({ state }) => state === 'passed').length
  if (missed.length > 0 && passed + missed.length === files.length) return 'goals missed'
  if (passed === files.length) return files.some(({ skipped }) => skipped) ? 'in part' : 'yes'
  return passed === 0 ? 'not run' : 'in part'
}

const stateOf = (files: readonly FileOutcome[], path: string) =>
  files.find(({ file }) => file === path)?.state

/** Formats as `12 tests`, `1 of 13 tests failed`, `3 of 7 goals missed`. */
export function describe({ state, counted, passed, failed, skipped }: FileOutcome): string {
  const all = passed + failed
  if (state === 'skipped') return 'nothing of it ran'
  if (state === 'missing') return 'not run'
  if (counted === 'goals') return failed > 0 ? `${failed} of ${all} goals missed` : `${all} goals met`
  if (counted === 'mutants') return `${passed} of ${all} mutants noticed`
  if (state === 'failed') return all === 0 ? 'could not be started' : `${failed} of ${all} tests failed`
  const tests = passed === 1 ? '1 test' : `${passed} tests`
  return skipped ? `${tests}, ${skipped} skipped` : tests
}

/** Merges figures with the same name: counts are added, and texts are joined. */
function sumEqual(figures: readonly Figure[]): Pick<Figure, 'name' | 'value'>[] {
  const byName = Map.groupBy(figures, ({ name }) => name)
  return [...byName].map(([name, same]) => {
    const numbers = same.map(({ value }) => value).filter((value) => typeof value === 'number')
    const value =
      numbers.length === same.length
        ? numbers.reduce((sum, number) => sum + number, 0)
        : same.map((figure) => figure.value).join('; ')
    return { name, value }
  })
}
