import { LanyardError } from '@lanyard/contracts'
import type { Logger } from 'pino'

/** Milliseconds between two lines about the same failure. */
const repeatAfter = 10 * 60_000

export interface FailureLog {
  /**
   * Says that something failed. The same failure again within ten minutes is only counted, and the next line has the
   * count (`repeated`): work that is retried every second would otherwise fill the log.
   *
   * @param subject - what failed; each subject's failures are counted by themselves
   */
  warn(subject: string, error: unknown, fields: object, message: string): void
  /** It works again: its next failure is news. */
  clear(subject: string): void
}

/** @param now - milliseconds that never go back */
export function createFailureLog(
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): FailureLog {
  const last = new Map<string, { text: string; at: number; repeated: number }>()
  return {
    warn(subject, error, fields, message) {
      // A code's message may have figures that differ each time.
      const text = error instanceof LanyardError ? error.code : String(error)
      const before = last.get(subject)
      if (before?.text === text && now() - before.at < repeatAfter) {
        before.repeated++
        return
      }
      last.set(subject, { text, at: now(), repeated: 0 })
      const repeated = before?.text === text ? before.repeated : 0
      log.warn({ err: error, ...fields, ...(repeated > 0 && { repeated }) }, message)
    },
    clear: (subject) => void last.delete(subject),
  }
}
