import { formatDuration } from './format-duration.ts'
import type { Verdict } from './judge.ts'

/** The table as a terminal shows it. */
export function printTable(verdicts: readonly Verdict[]): string {
  const lines = verdicts.flatMap((verdict) => [
    '',
    `${verdict.kept ? 'kept  ' : 'BROKEN'} ${String(verdict.id).padStart(2)}. ${verdict.title} (${formatDuration(verdict.milliseconds)})`,
    ...verdict.files.map(
      ({ file, state, passed }) => `         ${state === 'passed' ? `${passed} passed` : state}: ${file}`,
    ),
    ...verdict.figures.map(({ name, value }) => `         ${name}: ${value}`),
    ...verdict.problems.map((problem) => `       ! ${problem}`),
  ])
  const kept = verdicts.filter((verdict) => verdict.kept).length
  return [...lines, '', `${kept} of ${verdicts.length} promises kept.`, ''].join('\n')
}
