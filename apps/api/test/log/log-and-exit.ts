/** Logs and ends, when it is told to: while one line is written the other waits. */

import { exitWhenLogged } from '../../src/platform/log/exit-when-logged.ts'
import { createLog } from '../../src/platform/log/log.ts'

const log = createLog({ LOG_LEVEL: 'warn' })
process.stdin.once('data', () => {
  log.warn('the last line but one')
  log.warn('the last line')
  void exitWhenLogged(0)
})
process.stderr.write('ready\n')
