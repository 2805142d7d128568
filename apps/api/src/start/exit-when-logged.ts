import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds: the log is written by other threads, at once. */
const writing = 50

/**
 * Ends the process when the last lines of the log are written. At `process.exit` pino writes those that are left, and tries
 * again for ever where nobody reads them any more.
 */
export async function exitWhenLogged(code: number): Promise<never> {
  await delay(writing)
  process.exit(code)
}
