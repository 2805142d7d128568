import type { Env } from './env.ts'

/** A checkpoint that ends the process as `kill -9` does where CRASH_AT names it, so that tests see what is left. */
export function createCheckpoint({ CRASH_AT }: Pick<Env, 'CRASH_AT'>): (name: string) => Promise<void> {
  if (CRASH_AT === undefined) return async () => {}
  return async (name) => {
    if (name !== CRASH_AT) return
    process.kill(process.pid, 'SIGKILL')
    // The signal arrives between two turns of the event loop; nothing may be done until then.
    await new Promise(() => {})
  }
}
