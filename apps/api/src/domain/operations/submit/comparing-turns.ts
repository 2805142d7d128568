import { setImmediate } from 'node:timers/promises'
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
