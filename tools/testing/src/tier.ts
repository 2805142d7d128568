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

/**
 * Whether a file with these tags in its first lines has a test in a tier. Files without tags are always
 * loaded.
 */
export function mayRun(fileTags: readonly string[], inTier: Tier): boolean {
  if (inTier === 'fast') return !fileTags.includes('all') && !fileTags.includes('long')
  if (inTier === 'rest') return !fileTags.includes('long')
  return true
}
