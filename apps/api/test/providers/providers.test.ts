/** @module-tag all */
/** @module-tag first */
/** @module-tag longer */
import { isLong } from '@lanyard/testing'
import { type ImitatedProviderName, imitatedProviders } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectedOutcomes } from './expected-outcomes.ts'
import { featureNames } from './feature-names.ts'
import { startImitation } from './features.ts'

/** Others meet a tighter limit of the same kind, and `packages/networks` tests all of them. */
const milder: readonly ImitatedProviderName[] = ['tenBlocks', 'batchesOfThree', 'noFeeHistory']

const names = (Object.keys(imitatedProviders) as ImitatedProviderName[]) // the keys of a literal
  .filter((name) => isLong || !milder.includes(name))

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
