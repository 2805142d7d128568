import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from './result.ts'

/** A result with when and where it was measured: benches may run one at a time, on other days. */
export interface DatedResult extends Result {
  /** ISO 8601 day. */
  readonly date: string
  readonly machine: string
}

const folder = fileURLToPath(new URL('../../results', import.meta.url))
const pathOf = (bench: string) => `${folder}/${bench}.json`

export function saveResult(bench: string, result: DatedResult): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(pathOf(bench), `${JSON.stringify(result, null, 2)}\n`)
}

/** Undefined when the bench has not been run yet. */
export function loadResult(bench: string): DatedResult | undefined {
  if (!existsSync(pathOf(bench))) return undefined
  return JSON.parse(readFileSync(pathOf(bench), 'utf8')) as DatedResult // written by saveResult
}
