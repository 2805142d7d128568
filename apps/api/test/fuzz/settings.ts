import process from 'node:process'
import { isLong, numericSeed, tier } from '@lanyard/testing'

/** The seed of CI, with which every run sends the same requests. */
const fixedSeed = 20_260_731

const { FUZZ_SEED, FUZZ_RUNS, FUZZ_PATH } = process.env

/** The factor by which this tier changes the number of runs of a property. */
const share = isLong ? 25 : tier === 'rest' ? 0.12 : 1

/**
 * The seed and the number of runs. `pnpm test:long` uses the seed of `TEST_SEED` and many more runs. `FUZZ_RUNS`
 * sets the runs of each property, `FUZZ_SEED` sets the seed, and `FUZZ_PATH` replays a reported counterexample.
 */
export const settings = {
  seed: FUZZ_SEED !== undefined ? Number(FUZZ_SEED) : isLong ? numericSeed : fixedSeed,
  path: FUZZ_PATH,
  runs: (usual: number) => (FUZZ_RUNS !== undefined ? Number(FUZZ_RUNS) : Math.ceil(usual * share)),
  /** Time-out of one property in milliseconds. */
  timeout: isLong || FUZZ_RUNS !== undefined ? 3_600_000 : 300_000,
} as const
