/**
 * The test tiers:
 *
 * - `fast` is `npm test`: every test without a tag.
 * - `rest` is what `npm run test:all` adds: the tests tagged `all`.
 * - `long` is `npm run test:long`: the tests tagged `long`, and those tagged `longer`, which run longer
 * there.
 * - `any` is vitest started by hand: every named test in its short form. `whole` is the same with the long
 * form.
 */
const tiers = ['fast', 'rest', 'long', 'any', 'whole'] as const
export type Tier = (typeof tiers)[number]

/** @throws Error if TEST_TIER names no tier */
function readTier(value = 'any'): Tier {
  const tier = tiers.find((name) => name === value)
  if (!tier) throw new Error(`TEST_TIER is ${value}; it may be ${tiers.join(', ')}.`)
  return tier
}

export const tier: Tier = readTier(process.env.TEST_TIER)

/** Whether loops run to their end: all kill points, all depths, a random seed. */
export const isLong: boolean = tier === 'long' || tier === 'whole'

/** vitest's tag filter for each tier. */
export const tagFilters: Record<Tier, string | undefined> = {
  fast: '!all && !long',
  rest: 'all && !long',
  long: 'long || longer',
  any: undefined,
  whole: undefined,
}

/** Whether a test with these tags runs in a tier. */
export function runsIn(tags: readonly string[], inTier: Tier): boolean {
  if (inTier === 'fast') return !tags.includes('all') && !tags.includes('long')
  if (inTier === 'rest') return tags.includes('all') && !tags.includes('long')
  if (inTier === 'long') return tags.includes('long') || tags.includes('longer')
  return true
}
