import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Suite } from '../promise.ts'
import type { Figure } from '../report-figure.ts'
import { type FileOutcome, pathOf, type RunOutcome } from './outcome.ts'

/** What `packages/onchain/scripts/mutants.ts` keeps of a contract. */
interface KeptResult {
  readonly date: string
  readonly results: readonly { readonly noticed: object | null }[]
}

/** Reads which guards of contracts were missed by a test when they were taken out: passed where each was. */
export function readGuards(suite: Suite, promise: number, root: string): RunOutcome {
  const files: FileOutcome[] = []
  const figures: Figure[] = []
  for (const file of suite.files) {
    const path = pathOf(suite, file)
    const { date, results }: KeptResult = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const passed = results.filter(({ noticed }) => noticed !== null).length
    const failed = results.length - passed
    const state = failed > 0 ? 'failed' : 'passed'
    files.push({ file: path, counted: 'mutants', state, passed, failed, milliseconds: 0 })
    const name = `${basename(file, '.json')}: guards taken out, noticed by a test`
    figures.push({ promise, name, value: `${passed} of ${results.length}, ${date}` })
  }
  return { files, figures }
}
