/** The times in which replicas are killed: what is under way then may be lost. */
export interface Outages {
  /** Runs what kills replicas. */
  during(kill: () => Promise<unknown>): Promise<void>
  /** Called before a request: the result says, after it, whether an outage overlapped the request. */
  watch(): () => boolean
}

export function createOutages(): Outages {
  let isOut = false
  let begun = 0
  return {
    async during(kill) {
      isOut = true
      begun++
      try {
        await kill()
      } finally {
        isOut = false
      }
    },
    watch() {
      const before = isOut ? begun - 1 : begun
      return () => begun > before
    },
  }
}
