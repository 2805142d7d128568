import { type Race, raceParts } from './race-fixture.ts'

export interface ProcessorTime {
  /** Milliseconds per operation; 0 if the system does not report it. */
  readonly whole: number
  readonly parts: Race['processorTime']
}

/**
 * Average of all races: the system counts in hundredths of a second, which is longer than one operation
 * takes.
 */
export function processorTimeOfOne(races: readonly Race[], size: number): ProcessorTime {
  const parts = raceParts.flatMap((part) => {
    const times = races.flatMap(({ processorTime }) => processorTime[part] ?? [])
    return times.length === 0 ? [] : [[part, sum(times) / (size * times.length)] as const]
  })
  return { whole: sum(parts.map(([, time]) => time)), parts: Object.fromEntries(parts) }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
