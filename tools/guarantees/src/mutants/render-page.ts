import { type Row, renderRows } from './page-rows.ts'
import type { Target } from './target.ts'

/** docs/mutation-testing.md: the mutated code, and the scores of the last runs. */
export function renderPage(targets: readonly Target[], rows: ReadonlyMap<string, Row>): string {
  return [
    '<!-- Written by `pnpm mutants` from tools/guarantees. Do not edit. -->',
    '# Mutation testing',
    '',
    'Code that decides about money or identity is changed in small steps: a comparison is reversed, a condition is removed,',
    'a body is emptied. A test should fail each time. If none does, a test is missing, or the change makes no difference.',
    '',
    '```sh',
    'pnpm mutants                                # every target, one after the other: an hour or more',
    'pnpm mutants accounts                       # one target',
    'pnpm mutants accounts src/passkey/*.ts      # some of its files; the page does not change',
    'pnpm mutants accounts --force               # also repeats mutants of earlier runs on this machine',
    '```',
    '',
    '## TypeScript',
    '',
    '[Stryker](https://stryker-mutator.io) runs the fast tests of each target. The score is the share of noticed mutants among',
    'all mutants, including those that no test covers. `pnpm mutants` exits non-zero if a score is below its floor, which is',
    'the last score, rounded down. A mutant whose tests never end counts as noticed. Many of these would mean that the',
    'machine was too busy for the time-out.',
    '',
    renderRows(rows),
    '',
    ...describeMissing(targets, rows),
    '| Target | Decides | Left out |',
    '|---|---|---|',
    ...targets.map(({ name, decides, leftOut }) => `| ${name} | ${decides} | ${leftOut} |`),
    '',
    'Some code is ignored everywhere: text for people, which tests should not pin; descriptions in schemas, which the',
    'committed OpenAPI document pins; function names of an ABI, which the compiler checks; and a `catch` that only returns',
    '`undefined`, which an empty one would return as well. A row without such mutants comes from an older run, whose',
    'survivors include text for people.',
    '',
    `Code that runs once, when a module is loaded (constants, type strings, ABIs), is mutated only in ${listOf(targets)}, whose`,
    'schemas consist of it. Elsewhere such a mutant would take as long as all tests together, and comparisons with known',
    'hashes and bytes already pin this code.',
    '',
    'Code that needs a chain, a database or a browser is not mutated: its tests start these, and are too slow to repeat for',
    'each mutant. The suites in [promises.md](promises.md) test it instead.',
    '',
    '`artifacts/mutants/<target>.html` shows the surviving mutants in the code, and the JSON beside it lists them by file and line.',
    '',
    '## Contracts',
    '',
    'Mutants of SmartBalance and SessionKeys are generated from the syntax tree of the compiler:',
    '[contract-mutants.md](contract-mutants.md).',
    '',
  ].join('\n')
}

function describeMissing(targets: readonly Target[], rows: ReadonlyMap<string, Row>): string[] {
  const missing = targets.filter(({ name }) => !rows.has(name))
  return missing.length > 0 ? [`Not run yet: ${missing.map(({ name }) => name).join(', ')}.`, ''] : []
}

const listOf = (targets: readonly Target[]) =>
  targets
    .filter(({ sparesStatic }) => !sparesStatic)
    .map(({ name }) => name)
    .join(', ')
