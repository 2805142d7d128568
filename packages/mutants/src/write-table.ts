import { writeFileSync } from 'node:fs'
import { readContractResults } from './contract-results.ts'
import { describeScores } from './describe-scores.ts'
import { knownEquivalents } from './known-equivalents.ts'
import type { Outcome, Place } from './outcome.ts'
import { table } from './paths.ts'
import { readOutcome } from './read-outcome.ts'
import { targets } from './targets.ts'

/** Writes docs/mutation-testing.md from what is kept of the last runs. */
export function writeTable(): void {
  writeFileSync(table, describe(targets.flatMap(({ name }) => readOutcome(name) ?? [])))
}

function describe(outcomes: readonly Outcome[]): string {
  return [
    '# Mutation testing',
    'Written by `pnpm mutants`, in `packages/mutants`; do not edit. Code that decides about money or identity is changed',
    'a little at a time: a comparison turned around, a condition left out, a body emptied. A test should fail each time.',
    '',
    '## TypeScript',
    `[Stryker](https://stryker-mutator.io) over the fast tests of each target. \`pnpm mutants\` ends non-zero below the
floor. Text for people is left alone. "Not reached" is what only the suites on a chain or a database run, which are
too slow to repeat for each mutant.`,
    '',
    describeScores(outcomes),
    '',
    '### Survivors',
    'Each is worth a look: a test is missing, or the change makes no difference. Those that were found to make none say why.',
    '',
    ...describeSurvivors(outcomes),
    '',
    '## Contracts',
    'Guards taken out by hand, one at a time: `packages/onchain/mutants`. Which test noticed which is in its `results`.',
    '',
    '| Contract | Killed | Tried | Date |',
    '|---|---:|---:|---|',
    ...readContractResults().map(
      ({ contract, killed, tried, date }) => `| ${contract} | ${killed} | ${tried} | ${date} |`,
    ),
    '',
  ].join('\n')
}

function describeSurvivors(outcomes: readonly Outcome[]): string[] {
  const rows = outcomes.flatMap(({ target, survivors }) =>
    survivors.map((place) => describeSurvivor(target, place)),
  )
  return rows.length === 0 ? ['None.'] : rows
}

function describeSurvivor(target: string, place: Place): string {
  const { file, line, mutator, replacement } = place
  const known = knownEquivalents.find(
    (one) => one.target === target && one.file === file && replacement.startsWith(one.replacement),
  )
  const change = `- ${target}, \`${file}:${line}\`, ${mutator}: ${code(replacement)}`
  return known ? `${change}. Makes no difference: ${known.why}` : change
}

/** In backticks, whatever is in it. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`
}
