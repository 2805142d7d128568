import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from './outcome.ts'
import { results } from './paths.ts'

/** What came of a target's last whole run; nothing where there was none. */
export function readOutcome(target: string): Outcome | undefined {
  const file = join(results, `${target}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
