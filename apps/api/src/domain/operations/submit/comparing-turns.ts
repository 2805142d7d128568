import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { batched } from '@lanyard/database'

/**
 * Runs work that blocks the event loop for a fraction of a millisecond, for all requests one after the other,
 * with a turn of the event loop in between. Requests that wait together continue together, so that they share
 * their next statement.
 */
export async function runSerially<T>(work: () => Promise<T>): Promise<T> {
  const outcome = await runAll(work)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value as T // the result of this work
}

/** Small enough that the first item hardly waits for the last. */
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

/**
 * How long the event loop is left free after a piece of spare work, as a multiple of that work's duration.
 */
const restPerWork = 4

/** Milliseconds of work before a rest: shorter rests would end late, because timers count milliseconds. */
const workBeforeRest = 4

/**
 * The work that waits for spare time: the pieces of each caller, with the callers in the order of their
 * turns.
 */
const waiting = new Map<string, (() => Promise<void>)[]>()
let isRunning = false

/**
 * Runs work that must not slow down other callers' answers: it uses at most a fifth of the event loop's time,
 * and runs one piece per caller in turn. A caller with much work therefore delays only itself.
 */
export function lowPriorityQueue<T>(caller: string, work: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const pieces = waiting.get(caller) ?? []
  pieces.push(() => work().then(resolve, reject))
  waiting.set(caller, pieces)
  if (!isRunning) void run()
  return promise
}

async function run(): Promise<void> {
  isRunning = true
  let worked = 0
  for (let [next] = waiting; next; [next] = waiting) {
    const [caller, [piece, ...others]] = next
    // Moves the caller to the end of the queue if it has more work.
    waiting.delete(caller)
    if (others.length > 0) waiting.set(caller, others)
    const began = performance.now()
    await piece?.()
    worked += performance.now() - began
    if (worked < workBeforeRest) {
      await setImmediate()
      continue
    }
    await delay(Math.ceil(worked * restPerWork))
    worked = 0
  }
  isRunning = false
}
