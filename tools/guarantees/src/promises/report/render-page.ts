import { relative } from 'node:path/posix'
import { type HostileAttempt, hostileAttempts } from '../hostile-callers.ts'
import type { PromiseOfQuality } from '../promise.ts'
import { type FileOutcome, pathOf, type RunOutcome } from '../run/outcome.ts'
import { judge, type Verdict } from './judge.ts'
import {
  type AttackCount,
  evidenceStart,
  type PageResult,
  readAttackCounts,
  readResults,
  renderMarker,
} from './page-results.ts'

/** A run of some promises that updates the page. */
export interface PageUpdate {
  readonly promises: readonly PromiseOfQuality[]
  readonly outcome: RunOutcome
  /** ISO 8601 day. */
  readonly date: string
  readonly long: boolean
}

/**
 * docs/promises.md: every declared promise with the result of its last run. Promises that are not in `update`
 * keep their current result.
 *
 * @param page - the current page; empty if nothing ran yet
 * @param benchmarks - the content of docs/benchmarks.md
 */
export function renderPage(
  promises: readonly PromiseOfQuality[],
  page: string,
  benchmarks: string,
  update?: PageUpdate,
): string {
  const results = new Map(readResults(page))
  const attacks = new Map(readAttackCounts(page))
  if (update) {
    for (const promise of update.promises) results.set(promise.id, toResult(promise, update))
    for (const attempt of hostileAttempts) {
      const count = countAttack(attempt, update.outcome.files)
      if (count) attacks.set(attempt.number, count)
    }
  }
  const rows = promises.map((promise) => ({ promise, result: results.get(promise.id) }))
  return [
    '<!-- Written by `pnpm promises --write` from tools/guarantees. Do not edit. -->',
    '# Promises',
    '',
    'What this service guarantees, the tests that show it, and the result of the last run. `pnpm promises` runs all of',
    'them, `pnpm promises 4 8` runs two, `--long` adds the long variants, and `--write` updates this page. The command fails',
    'when a promise is broken: a test fails, does not run, or does not report what it counts. Reports by file are in',
    '`artifacts/promises`; CI keeps them with each run.',
    '',
    'Speed and cost are goals, not promises. A missed goal is listed here and explained in [benchmarks](benchmarks.md).',
    '"In part" means that nothing failed, but something that belongs to the promise did not run on that machine.',
    '',
    '| | Promise | Kept | Tests | Last run |',
    '|---:|---|---|---:|---|',
    ...rows.map(({ promise: { id, title }, result }) => {
      const cells = result
        ? [result.kept === 'no' ? '**no**' : result.kept, result.tests, describeDate(result)]
        : ['not run', '', '']
      return `| ${[id, `[${title}](#${id}-${anchorOf(title)})`, ...cells].join(' | ')} |`
    }),
    ...rows.flatMap(({ promise, result }) => renderSection(promise, result)),
    '',
    '## Hostile callers',
    '',
    'Each row is an attack by a hostile caller. Tried: tests of it that ran. Lost: tests in which the attack succeeded. Victim: the',
    'share of these tests in which the victim got what the column says. Others: their p99 under the attack beside a quiet',
    'service, by [`pnpm bench hostile`](benchmarks.md#hostile), in which every call of theirs succeeds; empty where an attack',
    'takes nothing that others use.',
    '',
    '| | Attack | Tried | Lost | Victim | Others | Tests |',
    '|---|---|---:|---:|---|---:|---|',
    ...hostileAttempts.map(({ number, attempt, victim, bench, files }) => {
      const count = attacks.get(number)
      const cells = [
        number,
        attempt,
        count?.tried ?? 'not run',
        count?.lost ?? '',
        count ? `${Math.floor((100 * (count.tried - count.lost)) / count.tried)} %: ${victim}` : '',
        bench ? readSlowdown(benchmarks, bench) : '',
        files.map(linkTo).join(', '),
      ]
      return `| ${cells.join(' | ')} |`
    }),
    '',
  ].join('\n')
}

const describeDate = ({ date, long }: PageResult) => (long ? `${date}, long` : date)

const words: Record<Verdict['kept'], string> = {
  yes: 'Kept',
  no: '**Not kept**',
  'goals missed': 'Kept, with goals missed',
  'in part': 'Kept in part',
  'not run': 'Not run',
}

function toResult(promise: PromiseOfQuality, { outcome, date, long }: PageUpdate): PageResult {
  const { kept, files, figures, problems } = judge(promise, outcome)
  const titles = {
    no: 'Broken',
    'goals missed': 'Missed',
    'in part': 'Did not run',
    'not run': 'Did not run',
    yes: '',
  }
  return {
    kept,
    tests: files.reduce((sum, file) => sum + (file.counted === 'tests' ? file.passed : 0), 0),
    date,
    long,
    details: [
      ...(figures.length > 0
        ? ['| Counted | |', '|---|---:|', ...figures.map(({ name, value }) => `| ${name} | ${value} |`)]
        : []),
      ...(problems.length > 0
        ? ['', `${titles[kept]}:`, '', ...problems.map((problem) => `- ${problem}`)]
        : []),
    ]
      .join('\n')
      .trim(),
  }
}

function renderSection(
  { id, title, text, suites }: PromiseOfQuality,
  result: PageResult | undefined,
): string[] {
  const files = new Set(suites.flatMap((suite) => suite.files.map((file) => pathOf(suite, file))))
  return [
    '',
    `## ${id}. ${title}`,
    '',
    text,
    '',
    ...(result ? [...renderResult(result), ''] : ['Not run yet.', '']),
    `${evidenceStart}${[...files].map(linkTo).join(', ')}.`,
  ]
}

const renderResult = (result: PageResult): string[] => [
  renderMarker(result),
  `${words[result.kept]} on ${result.date}${result.long ? ', with the long variants' : ''}: ${result.tests} ${result.tests === 1 ? 'test' : 'tests'} passed.`,
  ...(result.details === '' ? [] : ['', result.details]),
]

/** A link from docs/ with a short text. */
function linkTo(path: string): string {
  const [, folder = '', rest = path] =
    /^(?:apps|packages|tools)\/([^/]+)\/(?:src|test|e2e|contracts\/test)\/(.+)$/.exec(path) ?? []
  const name = (folder === '' ? path.replace(/^docs\//, '') : `${folder}: ${rest}`).replace(
    /\.(test|e2e|t)\.(ts|tsx|sol)$/,
    '',
  )
  return `[${name}](${relative('docs', path)})`
}

/** Undefined unless all of its tests ran. */
function countAttack(
  { files: names }: HostileAttempt,
  files: readonly FileOutcome[],
): AttackCount | undefined {
  const outcomes = names.flatMap(
    (name) => files.find(({ file, state }) => file === name && state !== 'missing') ?? [],
  )
  if (outcomes.length < names.length) return undefined
  const lost = outcomes.reduce((sum, { failed }) => sum + failed, 0)
  return { tried: outcomes.reduce((sum, { passed }) => sum + passed, lost), lost }
}

/** The ratio of other callers' p99 latency during an attack, from the table of `pnpm bench hostile`. */
function readSlowdown(benchmarks: string, attack: string): string {
  const row = benchmarks.split('\n').find((line) => line.includes(`, p99, ${attack}`))
  const ratio = row?.split(' | ')[3]
  return ratio === undefined ? 'not measured' : `${ratio} ×`
}

/** The anchor that GitHub creates for a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
