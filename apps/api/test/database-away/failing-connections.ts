import { setTimeout as delay } from 'node:timers/promises'
import { isLong } from '@lanyard/testing'
import type { PostgresProxy, TcpFault } from '@lanyard/testing/fault-proxy'
import { answerBound } from './loaded-service.ts'

/** Milliseconds of each kind of failure under load. */
const lasts = isLong ? 15_000 : 1_800

/** Milliseconds until connections fail, and as many until they fail again. */
const pause = 150

/** Bytes of answers after which it happens: part of a connection's beginning, of a small answer, of a large one, of many. */
const lengths = [1, 60, 420, 700, 1_500, 6_000, 40_000]

export interface FailingConnections {
  readonly name: string
  /** Whether callers are refused while it lasts; they may be at any time. */
  readonly refuses: boolean
  /** How often all connections fail, once they have. */
  fail(proxy: PostgresProxy): Promise<number>
}

const againAndAgain = (name: string, fault: (bytes: number) => TcpFault): FailingConnections => ({
  name,
  refuses: true,
  async fail(proxy) {
    const until = performance.now() + lasts
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

const late = (name: string, milliseconds: number, refuses: boolean): FailingConnections => ({
  name,
  refuses,
  async fail(proxy) {
    await proxy.set({ kind: 'delay', milliseconds })
    await delay(lasts + 2 * milliseconds)
    return 0
  },
})

export const failingConnections: readonly FailingConnections[] = [
  late('slow', 15, false),
  ...(isLong ? [late('slower than anybody waits', answerBound, true)] : []),
  againAndAgain('cut in the middle of answers', (bytes) => ({ kind: 'cut', bytes })),
  againAndAgain('ended in the middle of answers', (bytes) => ({ kind: 'truncate', bytes })),
]
