import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from './outcome.ts'
import { results } from './paths.ts'

/** Keeps what came of a target's last whole run, in place of what was kept of it. */
export function keepOutcome(outcome: Outcome): void {
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `${outcome.target}.json`), `${JSON.stringify(outcome, undefined, 2)}\n`)
}
