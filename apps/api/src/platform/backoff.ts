/** Milliseconds. */
const initialBackoff = 1_000
const maxBackoff = 60_000

/**
 * The time of the next attempt after a failure: the pauses double, up to a minute.
 *
 * @param failures - number of earlier failures; 0: this is the first
 */
export const nextAttempt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(maxBackoff, initialBackoff * 2 ** Math.min(failures, 10)))
