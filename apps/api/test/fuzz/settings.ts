import process from 'node:process'
import { isLong } from '@lanyard/testing'

/** The seed of CI: every run makes the same requests. */
const fixedSeed = 20_260_731

const { FUZZ_SEED, FUZZ_RUNS, FUZZ_PATH } = process.env

/**
 * How much is tried. `LANYARD_LONG` takes a random seed and many more runs, `FUZZ_RUNS` sets the runs of each property,
 * `FUZZ_SEED` the seed, and `FUZZ_PATH` goes straight to a counterexample that was reported.
 */
export const settings = {
  seed: FUZZ_SEED !== undefined ? Number(FUZZ_SEED) : isLong ? Date.now() % 2 ** 31 : fixedSeed,
  path: FUZZ_PATH,
  runs: (usual: number) => (FUZZ_RUNS !== undefined ? Number(FUZZ_RUNS) : isLong ? usual * 25 : usual),
  /** Milliseconds for one property; a bound on hangs. */
  timeout: isLong || FUZZ_RUNS !== undefined ? 3_600_000 : 120_000,
} as const
