import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { askRaw } from '../http-service.ts'
import type { ServiceProcess } from '../service-process.ts'
import { formOverlap, formsIn, type KeyForm } from './key-forms.ts'

/** Number of bytes per read. */
const pieceSize = 16 * 1024 * 1024

interface Searched {
  readonly bytes: number
  /** Names of the forms found, without duplicates. */
  readonly found: readonly string[]
}

/** Environment that makes a process write a heap snapshot to a directory on SIGUSR2. */
export const snapshotsInto = (directory: string) => ({
  NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${directory}`,
})

/** Makes the process write a heap snapshot and searches it. */
export async function searchHeapSnapshot(
  service: ServiceProcess,
  directory: string,
  forms: readonly KeyForm[],
): Promise<Searched> {
  service.child.kill('SIGUSR2')
  const snapshot = () => readdirSync(directory).find((name) => name.endsWith('.heapsnapshot'))
  const deadline = performance.now() + 90_000
  while (snapshot() === undefined) {
    if (performance.now() > deadline) throw new Error('The process did not write a heap snapshot.')
    await delay(25)
  }
  // The process does nothing else while it writes, so an answer proves that the snapshot is complete. The request uses
  // a new connection because idle ones were closed.
  await askRaw(`${service.url}/networks`, 'GET')
  return searchFile(join(directory, snapshot() ?? ''), [{ from: 0, to: Number.MAX_SAFE_INTEGER }], forms)
}

/**
 * Searches all writable memory of a process: heap, garbage, buffers, stacks, environment. The process is stopped during
 * the search.
 *
 * @returns undefined if the system does not allow reading the memory (systems other than Linux, some containers)
 */
export function searchMemory({ child }: ServiceProcess, forms: readonly KeyForm[]): Searched | undefined {
  const folder = `/proc/${child.pid}`
  child.kill('SIGSTOP')
  try {
    const parts = touchedParts(readFileSync(join(folder, 'smaps'), 'utf8'))
    return searchFile(join(folder, 'mem'), parts, forms)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM') return undefined
    throw error
  } finally {
    child.kill('SIGCONT')
  }
}

interface Part {
  readonly from: number
  readonly to: number
}

/** Parses `/proc/<pid>/smaps` (proc(5)) for writable mappings with pages in memory or swap. */
function touchedParts(smaps: string): readonly Part[] {
  return smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).flatMap((mapping) => {
    const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(mapping) ?? []
    const [, resident, swapped] = /^Rss: +(\d+) kB[\s\S]*^Swap: +(\d+) kB/m.exec(mapping) ?? []
    if (from === '' || (resident === '0' && swapped === '0')) return []
    return [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }]
  })
}

/** Searches parts of a file. Each part ends at its end or at the first unreadable byte. */
function searchFile(path: string, parts: readonly Part[], forms: readonly KeyForm[]): Searched {
  const file = openSync(path, 'r')
  const buffer = Buffer.alloc(pieceSize)
  const found = new Set<string>()
  let bytes = 0
  try {
    for (const { from, to } of parts) {
      for (let position = from; position < to; ) {
        const length = readPiece(file, buffer, Math.min(pieceSize, to - position), position)
        for (const name of formsIn(buffer.subarray(0, length), forms)) found.add(name)
        bytes += length
        if (length <= formOverlap || position + length >= to) break
        position += length - formOverlap
      }
    }
  } finally {
    closeSync(file)
  }
  return { bytes, found: [...found] }
}

/** @returns 0 for untouched pages, which the system does not provide (EIO) */
function readPiece(file: number, buffer: Buffer, length: number, position: number): number {
  try {
    return readSync(file, buffer, 0, length, position)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EIO') return 0
    throw error
  }
}
