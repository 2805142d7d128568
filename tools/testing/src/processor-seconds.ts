import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const ticks = 100

/**
 * Processor time (user and system) of this process and of every process below it that has ended. Undefined where
 * the system does not say.
 */
export function processorSeconds(): number | undefined {
  try {
    const afterName = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /s, '')
    const [user, system, ofChildren, systemOfChildren] = afterName.split(' ').slice(11, 15).map(Number)
    return ((user ?? 0) + (system ?? 0) + (ofChildren ?? 0) + (systemOfChildren ?? 0)) / ticks
  } catch {
    return undefined
  }
}
