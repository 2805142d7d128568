import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from './outcome.ts'
import { artifacts } from './paths.ts'

const fileOf = (target: string) => join(artifacts, `${target}.json`)

/** Writes the results of a target's complete run, with survivors by file and line. */
export function writeOutcome(outcome: Outcome): void {
  mkdirSync(artifacts, { recursive: true })
  writeFileSync(fileOf(outcome.target), `${JSON.stringify(outcome, undefined, 2)}\n`)
}

/** The results of a target's last complete run on this machine. Undefined if there was none. */
export function readOutcome(target: string): Outcome | undefined {
  return existsSync(fileOf(target)) ? JSON.parse(readFileSync(fileOf(target), 'utf8')) : undefined
}
