import { formatDuration } from './format-duration.ts'
import type { Verdict } from './judge.ts'

interface Surroundings {
  readonly date: string
  readonly node: string
  readonly long: boolean
  readonly processors: number
}

/** The table as a page of docs/. */
export function writePage(verdicts: readonly Verdict[], surroundings: Surroundings): string {
  const { date, node, long, processors } = surroundings
  const command = long ? 'pnpm promises --long' : 'pnpm promises'
  return [
    '# What this service promises, and what shows it',
    '',
    `Written by \`${command} --write\` on ${date}, with Node ${node} on a machine of ${processors} processors; do not edit. The`,
    'table is declared in `packages/promises/src/promises.ts`. Times are of this run, and say nothing about another machine.',
    '',
    '`pnpm promises` runs all of it, `pnpm promises 4 8` some, `--long` the long variants (`pnpm test:long` runs these too),',
    '`--json` prints JSON. It ends non-zero when a promise is broken: a test fails, does not exist, or does not say what it',
    'counted.',
    '',
    '| | Promise | Kept | Tests | Time |',
    '|---:|---|---|---:|---:|',
    ...verdicts.map(
      ({ id, title, kept, files, milliseconds }) =>
        `| [${id}](#${id}-${anchorOf(title)}) | ${title} | ${kept ? 'yes' : '**no**'} | ${files.reduce((sum, file) => sum + file.passed, 0)} | ${formatDuration(milliseconds)} |`,
    ),
    ...verdicts.flatMap(section),
    '',
  ].join('\n')
}

function section({ id, title, text, files, figures, problems }: Verdict): string[] {
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
    ...files.map(({ file, passed, state }) => `- \`${file}\`: ${state === 'passed' ? passed : state}`),
    ...(problems.length > 0 ? ['', 'Broken:', ...problems.map((problem) => `- ${problem}`)] : []),
  ]
}

/** As GitHub makes the anchors of headings. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
