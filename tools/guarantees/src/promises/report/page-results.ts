import type { Verdict } from './judge.ts'

/** What docs/promises.md keeps of the last run of a promise: the page is the only record that is committed. */
export interface PageResult {
  readonly kept: Verdict['kept']
  /** That passed. */
  readonly tests: number
  /** ISO 8601 day. */
  readonly date: string
  /** With the long variants. */
  readonly long: boolean
  /** Markdown below the result: figures, and what is missing. */
  readonly details: string
}

/** How often a hostile caller was tried, and how often the attack succeeded. */
export interface AttackCount {
  readonly tried: number
  readonly lost: number
}

/** Invisible to readers: the result in a form that the next run reads back. */
const marker = /^<!-- last run: ([a-z ]+) \| (\d+) \| (\d{4}-\d\d-\d\d)( \| long)? -->$/m

export const renderMarker = ({ kept, tests, date, long }: PageResult): string =>
  `<!-- last run: ${kept} | ${tests} | ${date}${long ? ' | long' : ''} -->`

/** The last line of a section, after the result. */
export const evidenceStart = 'Shown by '

/** Reads the results back from the page, by number of the promise. */
export function readResults(page: string): ReadonlyMap<number, PageResult> {
  const sections = page.split(/^## (?=\d+\. )/m).slice(1)
  return new Map(
    sections.flatMap((section): [number, PageResult][] => {
      const [whole, kept, tests, date, long] = marker.exec(section) ?? []
      if (whole === undefined || date === undefined) return []
      const [, rest = ''] = section.split(`${whole}\n`)
      const [result = ''] = rest.split(`\n${evidenceStart}`)
      // The first line repeats the marker in words.
      const [, ...details] = result.split('\n')
      return [
        [
          Number.parseInt(section, 10),
          {
            kept: kept as Verdict['kept'], // written by renderMarker
            tests: Number(tests),
            date,
            long: long !== undefined,
            details: details.join('\n').trim(),
          },
        ],
      ]
    }),
  )
}

/** Reads the counts of the table of hostile callers back, by the number of the attack. */
export function readAttackCounts(page: string): ReadonlyMap<string, AttackCount> {
  const rows = page.matchAll(/^\| ([AB]\.\d+) \| [^|]+ \| (\d+) \| (\d+) \|/gm)
  return new Map(
    [...rows].map(([, number = '', tried, lost]) => [number, { tried: Number(tried), lost: Number(lost) }]),
  )
}
