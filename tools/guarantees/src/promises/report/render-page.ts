import { hostileAttempts } from '../hostile-callers.ts'
import type { KeptRun } from '../kept/kept-run.ts'
import type { PromiseOfQuality } from '../promise.ts'
import type { FileOutcome } from '../run/outcome.ts'
import { formatDuration } from './format-duration.ts'
import { describe, judge, type Verdict } from './judge.ts'

interface Row {
  readonly verdict: Verdict
  readonly run: KeptRun | undefined
}

/** The table as a page of docs/: every promise that is declared, with the last run of each. */
export function renderPage(
  promises: readonly PromiseOfQuality[],
  readRun: (id: number) => KeptRun | undefined,
): string {
  const rows = promises.map((promise): Row => {
    const run = readRun(promise.id)
    return { run, verdict: judge(promise, run ?? { files: [], figures: [] }) }
  })
  return [
    '<!-- Written by `pnpm promises --write` from tools/guarantees. Do not edit. -->',
    '# What this service promises, and what shows it',
    '',
    'Each promise names the tests that show it. `pnpm promises` runs all of them, `pnpm promises 4 8` some, `--long` the',
    'long variants (`pnpm test:long` runs these too). It ends non-zero when a promise is broken: a test fails, does not',
    'run, or does not say what it counted. `--write` keeps what came of a run in `tools/guarantees/results/promises` and writes',
    'this page anew: promises are run one at a time, and each row has the date of its own last run.',
    '',
    'How fast and how cheap the service is are goals: one that is missed is listed, with the reason in',
    '[benchmarks](benchmarks.md), and breaks no promise.',
    '',
    '"In part": nothing failed, and not everything ran. Of benches and mutants, whose runs take long, the last',
    'kept result is read; it carries its own date. Times are of the machine that ran it, while it did other things.',
    '',
    '| | Promise | Kept | Tests | Time | Run |',
    '|---:|---|---|---:|---:|---|',
    ...rows.map(({ verdict: { id, title, kept, files, milliseconds }, run }) => {
      const tests = files.reduce((sum, file) => sum + (file.counted === 'tests' ? file.passed : 0), 0)
      const mark = kept === 'no' ? '**no**' : kept
      const time = milliseconds > 0 ? formatDuration(milliseconds) : ''
      return `| ${id} | [${title}](#${id}-${anchorOf(title)}) | ${mark} | ${tests} | ${time} | ${run ? describeRun(run) : ''} |`
    }),
    ...rows.flatMap(section),
    ...hostileCallers(rows.flatMap(({ verdict }) => verdict.files)),
    '',
  ].join('\n')
}

const describeRun = ({ date, long }: KeptRun) => (long ? `${date}, long` : date)

function section({ verdict: { id, title, text, files, figures, problems, kept }, run }: Row): string[] {
  return [
    '',
    `## ${id}. ${title}`,
    '',
    text,
    ...(figures.length > 0
      ? ['', '| Counted | |', '|---|---:|', ...figures.map(({ name, value }) => `| ${name} | ${value} |`)]
      : []),
    '',
    'Shown by',
    ...files.map((file) => `- \`${file.file}\`: ${describe(file)}`),
    ...(kept === 'no' ? ['', 'Broken:', ...problems.map((problem) => `- ${problem}`)] : []),
    ...(kept === 'goals missed' ? ['', 'Missed:', ...problems.map((problem) => `- ${problem}`)] : []),
    '',
    run
      ? `Run on ${describeRun(run)}, with Node ${run.node} on a machine of ${run.processors} processors.`
      : 'Not run yet.',
  ]
}

/** A row for each way in which a caller who means harm was tried: what was counted, and which of it got through. */
const hostileCallers = (files: readonly FileOutcome[]): string[] => [
  '',
  '## Hostile callers',
  '',
  'One row for each attack of the audit. Tried: tests of it that ran. Lost: those in which the attack succeeded. How much',
  'slower others are meanwhile, `pnpm bench hostile` measures.',
  '',
  '| | What is tried | Tried | Lost | Shown by |',
  '|---|---|---:|---:|---|',
  ...hostileAttempts.map(({ number, attempt, files: names }) => {
    const outcomes = names.map((name) => files.find(({ file }) => file === name))
    const count = (kind: 'passed' | 'failed') =>
      outcomes.reduce((sum, outcome) => sum + (outcome?.[kind] ?? 0), 0)
    const didRun = outcomes.every((outcome) => outcome && outcome.state !== 'missing')
    const counted = didRun ? `${count('passed') + count('failed')} | ${count('failed')}` : 'not run |'
    return `| ${number} | ${attempt} | ${counted} | ${names.map((name) => `\`${name}\``).join(', ')} |`
  }),
]

/** As GitHub makes the anchors of headings. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
