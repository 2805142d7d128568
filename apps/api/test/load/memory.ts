import { setTimeout as delay } from 'node:timers/promises'

export interface MemorySample {
  /** Bytes. */
  readonly resident: number
  readonly heap: number
}

/** Polls a process's own `/metrics` for its memory use until stopped. */
export async function watchMemory(
  url: string,
  isRunning: () => boolean,
  interval: number,
): Promise<readonly MemorySample[]> {
  const samples: MemorySample[] = []
  while (isRunning()) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    samples.push({
      resident: read('process_resident_memory_bytes'),
      heap: read('nodejs_heap_size_used_bytes'),
    })
    await delay(interval)
  }
  return samples
}

/** The smallest heap in the samples: memory that the garbage collector could not free. */
export const retained = (samples: readonly MemorySample[]): number =>
  Math.min(...samples.map(({ heap }) => heap))

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
