import { clearInterval, setInterval } from 'node:timers'

/** Milliseconds between two turns of the event loop that are measured. */
const interval = 20

export interface LoopLag {
  /** Milliseconds that the event loop is late now, or was at its last measured turn. */
  read(): number
  /** Measures while something runs; returns a function that ends it, and may be called again. */
  watch(): () => void
}

/** The lag of this thread's event loop. It is measured only while it is watched, so an idle process sleeps. */
export function createLoopLag(clock = () => performance.now()): LoopLag {
  let watchers = 0
  let timer: NodeJS.Timeout | undefined
  let due = 0
  let last = 0
  const measure = () => {
    const now = clock()
    last = Math.max(0, now - due)
    due = now + interval
  }
  return {
    read: () => (watchers === 0 ? 0 : Math.max(last, clock() - due)),
    watch() {
      if (watchers++ === 0) {
        last = 0
        due = clock() + interval
        timer = setInterval(measure, interval).unref()
      }
      let isWatching = true
      return () => {
        if (isWatching && --watchers === 0) clearInterval(timer)
        isWatching = false
      }
    },
  }
}
