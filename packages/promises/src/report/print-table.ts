import { formatDuration } from './format-duration.ts'
import { describe, type Verdict } from './judge.ts'

/** The table as a terminal shows it. */
export function printTable(verdicts: readonly Verdict[]): string {
  const lines = verdicts.flatMap((verdict) => [
    '',
    `${verdict.id}. ${verdict.title}: ${marks[verdict.kept]} (${formatDuration(verdict.milliseconds)})`,
    ...verdict.files.map((file) => `     ${describe(file)}: ${file.file}`),
    ...verdict.figures.map(({ name, value }) => `     ${name}: ${value}`),
    ...verdict.problems.map((problem) => `   ! ${problem}`),
  ])
  const kept = verdicts.filter((verdict) => verdict.kept === 'yes').length
  return [...lines, '', `${kept} of ${verdicts.length} promises kept.`, ''].join('\n')
}

const marks = { yes: 'kept', no: 'BROKEN', 'in part': 'kept in part', 'not run': 'not run' } as const
