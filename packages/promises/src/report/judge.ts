import type { PromiseOfQuality } from '../promise.ts'
import type { Figure } from '../report-figure.ts'
import { type FileOutcome, pathOf, type RunOutcome } from '../run/outcome.ts'

/** What a run says about one promise. */
export interface Verdict {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly kept: boolean
  /** Why not. */
  readonly problems: readonly string[]
  readonly files: readonly FileOutcome[]
  readonly figures: readonly Pick<Figure, 'name' | 'value'>[]
  readonly milliseconds: number
}

/** A promise is kept when each of its files ran and passed, and each figure that must come out of them did. */
export function judge(promise: PromiseOfQuality, outcome: RunOutcome): Verdict {
  const files = promise.suites.flatMap((suite) =>
    suite.files.map((file): FileOutcome => {
      const path = pathOf(suite, file)
      const missing = { file: path, state: 'missing', passed: 0, failed: 0, milliseconds: 0 } as const
      return outcome.files.find((ran) => ran.file === path) ?? missing
    }),
  )
  const figures = outcome.figures.filter((figure) => figure.promise === promise.id)
  const reported = new Set(figures.map(({ name }) => name))
  const problems = [
    ...files.flatMap(({ file, state, failed }) =>
      state === 'passed'
        ? []
        : [state === 'failed' ? `${file}: ${failed} failed` : `${file}: ${words[state]}`],
    ),
    ...promise.suites
      .flatMap((suite) => suite.figures ?? [])
      .filter((name) => !reported.has(name))
      .map((name) => `no figure "${name}"`),
  ]
  return {
    id: promise.id,
    title: promise.title,
    text: promise.text,
    kept: problems.length === 0,
    problems,
    files,
    figures: sumEqual(figures),
    milliseconds: files.reduce((sum, file) => sum + file.milliseconds, 0),
  }
}

const words = { skipped: 'nothing of it ran', missing: 'there is no such test' } as const

/** Several files may count the same thing: counts are added up, texts stand beside each other. */
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
