import type { Outcome } from './outcome.ts'

/** A target's row in docs/mutation-testing.md, from its last complete run. Only this page is committed. */
export interface Row {
  readonly noticed: number
  /** The noticed mutants whose tests timed out. */
  readonly endless: number
  readonly survived: number
  /** Mutants that no test covers. */
  readonly unreached: number
  readonly spared: number
  /** Percent. */
  readonly floor: number
  /** ISO 8601 day. */
  readonly date: string
}

export const rowOf = ({ killed, timedOut, survivors, uncovered, spared, floor, date }: Outcome): Row => ({
  noticed: killed + timedOut,
  endless: timedOut,
  survived: survivors.length,
  unreached: uncovered.length,
  spared,
  floor,
  date,
})

/** Scores in percent: of the covered mutants, and of all. */
export function scoresOf({ noticed, survived, unreached }: Row): {
  readonly covered: number
  readonly all: number
} {
  const reached = noticed + survived
  return { covered: percent(noticed, reached), all: percent(noticed, reached + unreached) }
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole
}

/** A Markdown table with one row for each target. The command also prints it. */
export function renderRows(rows: ReadonlyMap<string, Row>): string {
  return [
    '| Target | Noticed | Of these timed out | Survived | Not covered | Ignored | Score | Score of covered code | Floor | Date |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---|',
    ...[...rows].map(([target, row]) => {
      const { all, covered } = scoresOf(row)
      const counts = [row.noticed, row.endless, row.survived, row.unreached, row.spared]
      const shares = [`${all.toFixed(1)} %`, `${covered.toFixed(1)} %`, `${row.floor} %`]
      return `| ${[`<a id="${target}"></a>${target}`, ...counts, ...shares, row.date].join(' | ')} |`
    }),
  ].join('\n')
}

/** Reads the table back from the page, by target. */
export function readRows(page: string): ReadonlyMap<string, Row> {
  const lines = page.matchAll(
    /^\| <a id="([^"]+)"><\/a>[^|]+\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| [^|]+ \| [^|]+ \| ([\d.]+) % \| (\S+) \|$/gm,
  )
  return new Map(
    [...lines].map(([, target = '', noticed, endless, survived, unreached, spared, floor, date = '']) => [
      target,
      {
        noticed: Number(noticed),
        endless: Number(endless),
        survived: Number(survived),
        unreached: Number(unreached),
        spared: Number(spared),
        floor: Number(floor),
        date,
      },
    ]),
  )
}
