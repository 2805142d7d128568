import { type ImitatedProviderName, imitatedProviders } from '@lanyard/testing/fault-proxy'
import { expectedOutcomes } from './expected-outcomes.ts'
import { featureNames } from './feature-names.ts'

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** The table of docs/providers.md: a provider's limits, a feature, and what its caller gets. */
export function renderTable(): string {
  const names = Object.keys(imitatedProviders) as ImitatedProviderName[] // the keys of a literal
  return [
    row(['Provider', ...featureNames]),
    row(['---', ...featureNames.map(() => '---')]),
    ...names.map((name) =>
      row([
        imitatedProviders[name].name,
        ...featureNames.map((feature) => {
          const outcome = expectedOutcomes[name][feature]
          return outcome === undefined ? '✓' : `\`${outcome}\``
        }),
      ]),
    ),
  ].join('\n')
}
