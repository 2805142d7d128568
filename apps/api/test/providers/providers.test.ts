import { type ImitatedProviderName, imitatedProviders } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectedOutcomes } from './expected-outcomes.ts'
import { featureNames } from './feature-names.ts'
import { startImitation } from './features.ts'

const names = Object.keys(imitatedProviders) as ImitatedProviderName[] // the keys of a literal

/** One of each kind: limits that are learned, overrides that are ignored, tags that are missing, nodes that differ. */
const inAll: readonly ImitatedProviderName[] = ['fiveBlocks', 'ignoresOverrides', 'noFinalTag', 'nodesApart']

describe.each([
  ['all', names.filter((name) => inAll.includes(name))],
  ['long', names.filter((name) => !inAll.includes(name))],
] as const)('tier %s', (tier, some) => {
  /** Each cell of the table in docs/providers.md. */
  describe.each(some)('a provider with the limits of %s', { tags: [tier], timeout: 300_000 }, (name) => {
    let imitation: Awaited<ReturnType<typeof startImitation>>
    beforeAll(async () => {
      imitation = await startImitation(imitatedProviders[name])
    })
    afterAll(() => imitation?.[Symbol.asyncDispose]())

    test.each(featureNames)('behavior: %s', async (feature) => {
      expect(await imitation.use(feature)).toBe(expectedOutcomes[name][feature] ?? 'works')
    })
  })
})
