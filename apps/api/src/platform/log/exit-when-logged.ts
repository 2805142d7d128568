import { setTimeout as delay } from 'node:timers/promises'
import { abandonLog } from './log.ts'

/** Milliseconds; other threads write the log without delay. */
const writing = 100

/** Ends the process after the last log lines have had time to be written, whether or not they are read. */
export async function exitWhenLogged(code: number): Promise<never> {
  await delay(writing)
  abandonLog()
  process.exit(code)
}
