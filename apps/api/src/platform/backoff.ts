/** Milliseconds. */
const initialBackoff = 1_000
const maxBackoff = 60_000

/**
 * When something that failed is tried again: after pauses that double, up to a minute.
 *
 * @param failures - that came before this one; 0: this is the first
 */
export const nextAttempt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(maxBackoff, initialBackoff * 2 ** Math.min(failures, 10)))
