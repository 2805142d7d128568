/** Milliseconds: the first pause, and the longest. */
export interface Backoff {
  readonly initial: number
  readonly max: number
}

/** The backoff of everything that says nothing else. */
export const usualBackoff: Backoff = { initial: 1_000, max: 60_000 }

/**
 * The time of the next attempt after a failure: the pauses double.
 *
 * @param failures - number of earlier failures; 0: this is the first
 */
export const nextAttempt = (failures: number, now: Date, { initial, max } = usualBackoff): Date =>
  new Date(now.getTime() + Math.min(max, initial * 2 ** Math.min(failures, 20)))
