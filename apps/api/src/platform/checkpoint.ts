import { dieAtOnce } from './crash-points.ts'
import type { Env } from './environment/env.ts'

/** Between two steps of the money path, by the step's name. Each layer names its own, so that a wrong name does not compile. */
export type Checkpoint<Name extends string = string> = (name: Name) => Promise<void>

/** A checkpoint that ends the process as `kill -9` does where CRASH_AT names it, so that tests see what is left. */
export function createCheckpoint({ CRASH_AT }: Pick<Env, 'CRASH_AT'>): Checkpoint {
  if (CRASH_AT === undefined) return async () => {}
  return async (name) => {
    if (name === CRASH_AT) dieAtOnce()
  }
}
