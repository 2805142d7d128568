import { dieAtOnce } from './crash-points.ts'
import type { Env } from './environment/env.ts'

/**
 * Called between two steps that move money, with the step's name. Each layer declares its own names, so that
 * a wrong name does not compile.
 */
export type Checkpoint<Name extends string = string> = (name: Name) => Promise<void>

/** Ends the process like `kill -9` at the checkpoint that CRASH_AT names, so that tests see the state after a crash. */
export function createCheckpoint({ CRASH_AT }: Pick<Env, 'CRASH_AT'>): Checkpoint {
  if (CRASH_AT === undefined) return async () => {}
  return async (name) => {
    if (name === CRASH_AT) dieAtOnce()
  }
}
