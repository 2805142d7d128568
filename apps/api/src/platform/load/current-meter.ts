import { findRequest } from '../log/current-request.ts'
import type { Meter } from './meter.ts'

/** The meter of the current request; undefined for background work. */
export const currentMeter = (): Meter | undefined => findRequest()?.meter

/** Waits without being charged for what others do meanwhile. */
export async function whileIdle<T>(wait: () => Promise<T>): Promise<T> {
  const resume = currentMeter()?.pause()
  try {
    return await wait()
  } finally {
    resume?.()
  }
}
