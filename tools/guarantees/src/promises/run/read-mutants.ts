import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '@lanyard/testing'
import type { Suite } from '../promise.ts'
import { type FileOutcome, pathOf, type RunOutcome } from './outcome.ts'

/** What `pnpm mutants` keeps of a target. */
interface KeptResult {
  readonly target: string
  readonly date: string
  readonly killed: number
  readonly timedOut: number
  readonly survivors: readonly unknown[]
  readonly uncovered: readonly unknown[]
  /** Per cent. */
  readonly floor: number
}

/** Reads how many mutants of TypeScript the tests noticed: passed where the score is not below its floor. */
export function readMutants(suite: Suite, promise: number, root: string): RunOutcome {
  const files: FileOutcome[] = []
  const figures: Figure[] = []
  for (const file of suite.files) {
    const path = pathOf(suite, file)
    const result: KeptResult = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const passed = result.killed + result.timedOut
    const failed = result.survivors.length + result.uncovered.length
    const score = (100 * passed) / (passed + failed)
    const state = score < result.floor ? 'failed' : 'passed'
    files.push({ file: path, counted: 'mutants', state, passed, failed, milliseconds: 0 })
    const value = `${passed} of ${passed + failed} (${score.toFixed(1)} %, floor ${result.floor} %), ${result.date}`
    figures.push({ promise, name: `${result.target}: mutants noticed by a test`, value })
  }
  return { files, figures }
}
