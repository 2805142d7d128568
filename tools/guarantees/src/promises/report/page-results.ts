import type { Verdict } from './judge.ts'

/** A promise's entry in docs/promises.md, from its last run. Only this page is committed. */
export interface PageResult {
  readonly kept: Verdict['kept']
  /** Number of passed tests. */
  readonly tests: number
  /** ISO 8601 day. */
  readonly date: string
  /** Whether the long variants ran. */
  readonly long: boolean
  /** Markdown below the result: figures, and missing parts. */
  readonly details: string
}

/** How often an attack was tried, and how often it succeeded. */
export interface AttackCount {
  readonly tried: number
  readonly lost: number
}

/** The result in a form that the next run reads back, invisible to readers. */
const marker = /^<!-- last run: ([a-z ]+) \| (\d+) \| (\d{4}-\d\d-\d\d)( \| long)? -->$/m

export const renderMarker = ({ kept, tests, date, long }: PageResult): string =>
  `<!-- last run: ${kept} | ${tests} | ${date}${long ? ' | long' : ''} -->`

/** The start of a section's last line, which follows the result. */
export const evidenceStart = 'Shown by '

/** Reads the results back from the page, by promise number. */
export function readResults(page: string): ReadonlyMap<number, PageResult> {
  const sections = page.split(/^## (?=\d+\. )/m).slice(1)
  return new Map(
    sections.flatMap((section): [number, PageResult][] => {
      const [whole, kept, tests, date, long] = marker.exec(section) ?? []
      if (whole === undefined || date === undefined) return []
      const [, rest = ''] = section.split(`${whole}\n`)
      const [result = ''] = rest.split(`\n${evidenceStart}`)
      // The first line repeats the marker as text.
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

/** Reads the counts back from the table of hostile callers, by attack number. */
export function readAttackCounts(page: string): ReadonlyMap<string, AttackCount> {
  const rows = page.matchAll(/^\| ([AB]\.\d+) \| [^|]+ \| (\d+) \| (\d+) \|/gm)
  return new Map(
    [...rows].map(([, number = '', tried, lost]) => [number, { tried: Number(tried), lost: Number(lost) }]),
  )
}
