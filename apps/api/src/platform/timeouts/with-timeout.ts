import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'

/** The promise's outcome; after this many milliseconds, a rejection, with `late` if it is given. */
export async function withTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  late?: LanyardError,
): Promise<T> {
  const stop = new AbortController()
  const expiry = async () => {
    await delay(milliseconds, undefined, { signal: stop.signal })
    throw late ?? new LanyardError('INTERNAL', { message: `No answer within ${milliseconds} ms.` })
  }
  try {
    return await Promise.race([promise, expiry()])
  } finally {
    stop.abort()
  }
}
