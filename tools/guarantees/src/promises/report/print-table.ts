import { formatDuration } from './format-duration.ts'
import { describe, type Verdict } from './judge.ts'

/** Formats the table for a terminal. */
export function printTable(verdicts: readonly Verdict[]): string {
  const lines = verdicts.flatMap((verdict) => [
    '',
    `${verdict.id}. ${verdict.title}: ${marks[verdict.kept]} (${formatDuration(verdict.milliseconds)})`,
    ...verdict.files.map((file) => `     ${describe(file)}: ${file.file}`),
    ...verdict.figures.map(({ name, value }) => `     ${name}: ${value}`),
    ...verdict.problems.map((problem) => `   ! ${problem}`),
  ])
  const count = (kept: Verdict['kept']) => verdicts.filter((verdict) => verdict.kept === kept).length
  const missed = count('goals missed')
  const kept = `${count('yes') + missed} of ${verdicts.length} promises kept`
  return [...lines, '', `${kept}${missed > 0 ? `, ${missed} with goals missed` : ''}.`, ''].join('\n')
}

const marks = {
  yes: 'kept',
  no: 'BROKEN',
  'goals missed': 'kept, with goals missed',
  'in part': 'kept in part',
  'not run': 'not run',
} as const
