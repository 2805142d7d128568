/** @module-tag all */
import { type ImitatedProviderName, imitatedProviders } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectedOutcomes } from './expected-outcomes.ts'
import { featureNames } from './feature-names.ts'
import { startImitation } from './features.ts'

const names = Object.keys(imitatedProviders) as ImitatedProviderName[] // the keys of a literal

describe.each(names)('a provider with the limits of %s', { timeout: 300_000 }, (name) => {
  let imitation: Awaited<ReturnType<typeof startImitation>>
  beforeAll(async () => {
    imitation = await startImitation(imitatedProviders[name])
  })
  afterAll(() => imitation?.[Symbol.asyncDispose]())

  /** Each cell of the table in docs/providers.md. */
  test.each(featureNames)('behavior: %s', async (feature) => {
    expect(await imitation.use(feature)).toBe(expectedOutcomes[name][feature] ?? 'works')
  })
})
