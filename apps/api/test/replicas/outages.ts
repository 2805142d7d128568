/** The periods in which replicas are killed. Requests in progress may fail then. */
export interface Outages {
  /** Runs a function that kills replicas. */
  during(kill: () => Promise<unknown>): Promise<void>
  /** Called before a request. The returned function tells after the request whether an outage overlapped it. */
  watch(): () => boolean
}

export function createOutages(): Outages {
  let isOut = false
  let started = 0
  return {
    async during(kill) {
      isOut = true
      started++
      try {
        await kill()
      } finally {
        isOut = false
      }
    },
    watch() {
      const before = isOut ? started - 1 : started
      return () => started > before
    },
  }
}
