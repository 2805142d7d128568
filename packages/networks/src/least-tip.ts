/**
 * Milliseconds for which a tip is remembered that a node has named, and one that is guessed from a refusal
 * without a figure. Nodes also refuse while their pool is full, so a guess is soon forgotten.
 */
const memory = { named: 600_000, guessed: 30_000 } as const

/** The least tip that the nodes of a network accept, wei per gas. */
export interface LeastTip {
  /** The configured one, or a higher one that a node has named lately. */
  readonly current: bigint
  /** A node refused a transaction with a lower tip. A tip above `most` is ignored. */
  learn(tip: bigint, source: keyof typeof memory): void
}

/**
 * @param configured - of the network's configuration
 * @param limit - the highest tip that is offered
 * @param now - the clock, milliseconds
 */
export function createLeastTip(configured: bigint, limit: bigint, now: () => number): LeastTip {
  let learned = { tip: 0n, until: 0 }
  const remembered = () => (now() < learned.until ? learned.tip : 0n)
  return {
    get current() {
      const tip = remembered()
      return tip > configured ? tip : configured
    },
    learn(tip, source) {
      if (tip > limit || tip < remembered()) return
      learned = { tip, until: now() + memory[source] }
    },
  }
}
