import process from 'node:process'
import { isLong, numericSeed, tier } from '@lanyard/testing'

/** The seed of CI: every run makes the same requests. */
const fixedSeed = 20_260_731

const { FUZZ_SEED, FUZZ_RUNS, FUZZ_PATH } = process.env

/** How many of a property's usual runs this tier takes. */
const share = isLong ? 25 : tier === 'fast' ? 0.2 : 1

/**
 * How much is tried. `npm run test:long` takes the seed of `TEST_SEED` and many more runs, `FUZZ_RUNS` sets the runs of each
 * property, `FUZZ_SEED` the seed, and `FUZZ_PATH` goes straight to a counterexample that was reported.
 */
export const settings = {
  seed: FUZZ_SEED !== undefined ? Number(FUZZ_SEED) : isLong ? numericSeed : fixedSeed,
  path: FUZZ_PATH,
  runs: (usual: number) => (FUZZ_RUNS !== undefined ? Number(FUZZ_RUNS) : Math.ceil(usual * share)),
  /** Milliseconds for one property; a bound on hangs. */
  timeout: isLong || FUZZ_RUNS !== undefined ? 3_600_000 : 300_000,
} as const
