import { type Outcome, scoresOf } from './outcome.ts'

/** A table in Markdown, one row a target; also what the command prints. */
export function describeScores(outcomes: readonly Outcome[]): string {
  return [
    '| Target | Noticed | Of these endless | Survived | Not reached | Left alone | Score | Of what is reached | Floor | Date |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---|',
    ...outcomes.map((outcome) => {
      const { target, killed, timedOut, survivors, uncovered, spared, floor, date } = outcome
      const { all, covered } = scoresOf(outcome)
      const cells = [
        target,
        killed + timedOut,
        timedOut,
        survivors.length,
        uncovered.length,
        spared,
        `${all.toFixed(1)} %`,
        `${covered.toFixed(1)} %`,
        `${floor} %`,
        date,
      ]
      return `| ${cells.join(' | ')} |`
    }),
  ].join('\n')
}
