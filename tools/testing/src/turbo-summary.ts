import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageRun } from './render-summary.ts'

/** The part of turbo's `--summarize` that is read here. */
interface TurboSummary {
  readonly execution: { readonly endTime: number }
  readonly tasks: readonly {
    readonly taskId: string
    readonly package: string
    readonly command: string
    readonly execution?: { readonly exitCode: number | null } | null
  }[]
}

/**
 * The packages that failed although their failed tests do not explain it: a page was not built, a compiler failed, or a
 * process of the test runner ended before its summary. A repetition of failed tests cannot excuse these.
 *
 * @param root the repository's, where turbo has just written its summary
 */
export function failuresOutsideOfTests(
  root: string,
  runs: readonly Pick<PackageRun, 'package' | 'failed'>[],
): readonly string[] {
  const files = globSync('.turbo/runs/*.json', { cwd: root })
  const summaries = files.map((file): TurboSummary => JSON.parse(readFileSync(join(root, file), 'utf8')))
  const [last] = summaries.toSorted((a, b) => b.execution.endTime - a.execution.endTime)
  if (!last) return ['turbo wrote no summary']
  return explain(last, runs)
}

export function explain(
  { tasks }: Pick<TurboSummary, 'tasks'>,
  runs: readonly Pick<PackageRun, 'package' | 'failed'>[],
): readonly string[] {
  return tasks.flatMap(({ taskId, package: name, command, execution }) => {
    // A package without this script has a task with no execution.
    if (!execution || execution.exitCode === 0) return []
    const own = runs.filter((run) => run.package === name)
    // Each run of a test runner in the script writes one summary.
    const expected = command.match(/vitest run|forge\.ts test/g)?.length ?? 0
    if (own.length < expected)
      return [`${taskId}: ${own.length} of ${expected} test runs wrote their results`]
    return own.some(({ failed }) => failed > 0) ? [] : [`${taskId} ended with ${execution.exitCode}`]
  })
}
