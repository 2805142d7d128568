import { setTimeout as delay } from 'node:timers/promises'
import { isLong } from '@lanyard/testing'
import type { PostgresProxy, TcpFault } from '@lanyard/testing/fault-proxy'
import { answerTimeout } from './loaded-service.ts'

/** Milliseconds that each kind of failure lasts. */
const duration = isLong ? 15_000 : 1_800

/** Milliseconds that one fault lasts, and milliseconds until the next one. */
const pause = 150

/**
 * Answer bytes before the fault, so that it hits the start of a connection, a small answer, a large answer or a
 * later answer.
 */
const lengths = [1, 60, 420, 700, 1_500, 6_000, 40_000]

export interface FailingConnections {
  readonly name: string
  /** Whether some callers must be refused during the failure. */
  readonly refuses: boolean
  /** Resolves with the number of times that all connections failed. */
  fail(proxy: PostgresProxy): Promise<number>
}

const repeated = (name: string, fault: (bytes: number) => TcpFault): FailingConnections => ({
  name,
  refuses: true,
  async fail(proxy) {
    const until = performance.now() + duration
    let times = 0
    for (; performance.now() < until; times++) {
      await proxy.set(fault(lengths[times % lengths.length] ?? 0))
      await delay(pause)
      await proxy.set({ kind: 'pass' })
      await delay(pause)
    }
    return times
  },
})

const delayed = (name: string, milliseconds: number, refuses: boolean): FailingConnections => ({
  name,
  refuses,
  async fail(proxy) {
    await proxy.set({ kind: 'delay', milliseconds })
    await delay(duration + 2 * milliseconds)
    return 0
  },
})

export const failingConnections: readonly FailingConnections[] = [
  delayed('slow', 15, false),
  ...(isLong ? [delayed('slower than any time-out', answerTimeout, true)] : []),
  repeated('cut in the middle of answers', (bytes) => ({ kind: 'cut', bytes })),
  repeated('ended in the middle of answers', (bytes) => ({ kind: 'truncate', bytes })),
]
