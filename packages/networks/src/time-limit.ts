import { clearTimeout, setTimeout } from 'node:timers'

/**
 * A time limit is counted in this many parts. While the event loop is blocked or the machine stands still, an answer
 * that has arrived cannot be read, and every timer is late. Of such a pause at most one part counts.
 */
const parts = 10

/**
 * Calls `late` after this many milliseconds.
 *
 * @returns ends the limit
 */
export function startTimeLimit(milliseconds: number, late: () => void): () => void {
  let passed = 0
  const wait = () =>
    setTimeout(() => {
      passed++
      if (passed < parts) timer = wait()
      else late()
    }, milliseconds / parts)
  let timer = wait()
  return () => clearTimeout(timer)
}
