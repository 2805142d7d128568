/** Milliseconds. The service may be given another node, or the account's transactions may have been delayed. */
const memory = 600_000

/** How many transactions of one account may wait to be mined. */
export interface InFlightLimit {
  current(now: Date): number
  /** The node refused this many as too many: it holds no later nonces. */
  learn(rejected: number, now: Date): void
}

/** @param configured - the limit while no node has refused less */
export function createInFlightLimit(configured: number): InFlightLimit {
  let learned = { limit: configured, until: 0 }
  return {
    current: (now) => (now.getTime() < learned.until ? learned.limit : configured),
    learn(rejected, now) {
      const limit = Math.max(1, Math.min(rejected - 1, configured))
      learned = { limit, until: now.getTime() + memory }
    },
  }
}
