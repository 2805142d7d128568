import { setTimeout as delay } from 'node:timers/promises'
import { abandonLog } from './log.ts'

/** Milliseconds: the log is written by other threads, at once. */
const writing = 100

/** Ends the process when the last lines of the log had time to be written, whether or not anybody reads them. */
export async function exitWhenLogged(code: number): Promise<never> {
  await delay(writing)
  abandonLog()
  process.exit(code)
}
