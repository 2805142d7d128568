import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from './result.ts'

/** A result with its date and machine: benches may run one at a time, on different days. */
export interface DatedResult extends Result {
  /** ISO 8601 day. */
  readonly date: string
  readonly machine: string
}

const folder = fileURLToPath(new URL('../../../../artifacts/bench', import.meta.url))

/** Writes the exact figures to `artifacts/bench`, which CI keeps and the repository does not. */
export function writeArtifact(bench: string, result: DatedResult): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${bench}.json`, `${JSON.stringify(result, null, 2)}\n`)
}
