const initialBackoff = 1_000
const maxBackoff = 60_000

/** When an operation is delivered again that was delivered so many times: after doubling pauses, up to a minute. */
export const nextAttempt = (attempts: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(maxBackoff, initialBackoff * 2 ** Math.min(attempts - 1, 10)))
