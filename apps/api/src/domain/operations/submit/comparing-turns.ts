import { setTimeout as delay, setImmediate } from 'node:timers/promises'

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Does what holds the event loop up for a millisecond, of all requests one after the other, with everything else that
 * the loop has to do in between.
 */
export const runSerially = <T>(work: () => Promise<T>): Promise<T> => after(lastTurn, setImmediate, work)

function after<T>(
  before: Promise<unknown>,
  rest: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const turn = before.then(rest).then(work)
  lastTurn = turn.catch(() => {})
  return turn
}

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
