import { type Row, renderRows } from './page-rows.ts'
import type { Target } from './target.ts'

/** docs/mutation-testing.md: the mutated code, and the scores of the last runs. */
export function renderPage(targets: readonly Target[], rows: ReadonlyMap<string, Row>): string {
  return [
    '<!-- Written by `pnpm mutants` from tools/guarantees. Do not edit. -->',
    '# Mutation testing',
    '',
    'Code that decides about money or identity is changed a little at a time: a comparison turned around, a condition left',
    'out, a body emptied. A test should fail each time. What no test notices is a test that is missing, or a change that',
    'makes no difference.',
    '',
    '```sh',
    'pnpm mutants                                # every target, one after the other: an hour or more',
    'pnpm mutants accounts                       # one target',
    'pnpm mutants accounts src/passkey/*.ts      # some of its files; the page stays as it is',
    'pnpm mutants accounts --force               # what an earlier run on this machine has tried, too',
    '```',
    '',
    '## TypeScript',
    '',
    '[Stryker](https://stryker-mutator.io) over the fast tests of each target. The score counts what was noticed among all',
    'mutants, those that no test reaches included; `pnpm mutants` ends non-zero when one is below its floor, which is what',
    'was reached last, rounded down. A mutant whose tests never end counts as noticed; more of these than a search without',
    'an end explains would mean that the machine was too busy for the time-out.',
    '',
    renderRows(rows),
    '',
    ...describeMissing(targets, rows),
    '| Target | Decides | Left out |',
    '|---|---|---|',
    ...targets.map(({ name, decides, leftOut }) => `| ${name} | ${decides} | ${leftOut} |`),
    '',
    'Left alone everywhere: text for people, which tests should not pin; what schemas say of themselves, which the',
    'committed OpenAPI document holds fast; names of functions of an ABI, of which the compiler allows no other; and a',
    '`catch` that only returns `undefined`, as it would when emptied. A row with none left alone is of a run that is older',
    'than this rule: text for people is among its survivors.',
    '',
    `What runs once, while a module is loaded (constants, type strings, ABIs), is mutated in ${listOf(targets)} alone, whose`,
    'schemas are nothing else: such a mutant takes as long as all tests together, and hashes and bytes that are compared with',
    'known answers hold these fast.',
    '',
    'What runs on a chain, a database or in a browser is not mutated: its tests start these, and are too slow to repeat for',
    'each mutant. It is shown by the suites in [promises.md](promises.md) instead.',
    '',
    'What survived stands in its place in `artifacts/mutants/<target>.html`, and by file and line in the JSON beside it.',
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
