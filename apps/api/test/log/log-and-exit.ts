/** Logs two lines and exits after the first input: one line waits while the other is written. */

import { exitWhenLogged } from '../../src/platform/log/exit-when-logged.ts'
import { createLog } from '../../src/platform/log/log.ts'

const log = createLog({ LOG_LEVEL: 'warn' })
process.stdin.once('data', () => {
  log.warn('the last line but one')
  log.warn('the last line')
  void exitWhenLogged(0)
})
process.stderr.write('ready\n')
