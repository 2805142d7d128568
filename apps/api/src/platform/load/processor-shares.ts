import process from 'node:process'

/** One call's share of the processor's time. */
export interface Share {
  /** Stops the share while the call only waits; returns a function that continues it. */
  pause(): () => void
  /** Milliseconds; ends the share. */
  end(): number
}

export interface ProcessorShares {
  /** @param weight - a whole number: how much work a call is, compared with others */
  begin(weight: number): Share
}

const spentByThisThread = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Divides the time that this thread computes among the calls that are running, in proportion to their
 * weights. The parts of a call alternate with those of others, and Node does not say whose part ran; but all
 * shares together are all the time that was spent while any call ran, so none of it is free.
 *
 * @param spent - milliseconds that this thread has computed so far
 */
export function createProcessorShares(spent = spentByThisThread): ProcessorShares {
  /** Milliseconds for each unit of weight, since the start. */
  let perWeight = 0
  let weights = 0
  let last = spent()

  function advance(): number {
    const now = spent()
    if (weights > 0) perWeight += (now - last) / weights
    last = now
    return perWeight
  }

  return {
    begin(weight) {
      let used = 0
      let since: number | undefined
      const start = () => {
        since = advance()
        weights += weight
      }
      const stop = () => {
        if (since === undefined) return
        used += weight * (advance() - since)
        weights -= weight
        since = undefined
      }
      start()
      return {
        pause() {
          if (since === undefined) return () => {}
          stop()
          return start
        },
        end() {
          stop()
          return used
        },
      }
    },
  }
}
