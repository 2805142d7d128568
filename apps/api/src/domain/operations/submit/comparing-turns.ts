import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { batched } from '@lanyard/database'

/**
 * Does what holds the event loop up for a fraction of a millisecond, of all requests one after the other, with everything
 * else that the loop has to do in between. Those that wait together go on together, so that their next statement is one.
 */
export async function runSerially<T>(work: () => Promise<T>): Promise<T> {
  const outcome = await runAll(work)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value as T // of this work
}

/** Few enough that the first hardly waits for the last. */
const maxItems = 32

const runAll = batched(
  async (works: readonly (() => Promise<unknown>)[]) => {
    const outcomes: PromiseSettledResult<unknown>[] = []
    for (const work of works) {
      await setImmediate()
      outcomes.push(...(await Promise.allSettled([work()])))
    }
    return outcomes
  },
  { maxItems },
)

/** How long the loop is left alone after a piece of spare work, as a multiple of what that took. */
const restPerWork = 4

/** What waits for spare time: the pieces of each caller, and the callers in the order in which they have their turn. */
const waiting = new Map<string, (() => Promise<void>)[]>()
let isRunning = false

/**
 * Does what nobody's answer may suffer from: a fifth of the loop's time at most, one piece of each caller in turn, so that
 * a caller with much to do only delays itself.
 */
export function inSpareTime<T>(caller: string, work: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const pieces = waiting.get(caller) ?? []
  pieces.push(() => work().then(resolve, reject))
  waiting.set(caller, pieces)
  if (!isRunning) void run()
  return promise
}

async function run(): Promise<void> {
  isRunning = true
  for (let [next] = waiting; next; [next] = waiting) {
    const [caller, [piece, ...others]] = next
    // To the end of the line, while there is more to do.
    waiting.delete(caller)
    if (others.length > 0) waiting.set(caller, others)
    const began = performance.now()
    await piece?.()
    await delay(Math.ceil((performance.now() - began) * restPerWork))
  }
  isRunning = false
}
