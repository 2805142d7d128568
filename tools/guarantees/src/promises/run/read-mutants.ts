import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '@lanyard/testing'
import { readRows } from '../../mutants/page-rows.ts'
import type { Suite } from '../promise.ts'
import { type FileOutcome, pathOf, type RunOutcome } from './outcome.ts'

/**
 * Reads from the page that `pnpm mutants` writes how many TypeScript mutants the tests noticed. A target
 * passes if its score is not below its floor. A file is the page with the anchor of a target,
 * `mutation-testing.md#accounts`.
 */
export function readMutants(suite: Suite, promise: number, root: string): RunOutcome {
  const files: FileOutcome[] = []
  const figures: Figure[] = []
  for (const file of suite.files) {
    const [page = '', name = ''] = file.split('#')
    const row = readRows(readFileSync(join(root, suite.package, page), 'utf8')).get(name)
    if (!row) continue
    const { noticed, survived, unreached, floor, date } = row
    const failed = survived + unreached
    const score = (100 * noticed) / (noticed + failed)
    const state = score < floor ? 'failed' : 'passed'
    files.push({
      file: pathOf(suite, file),
      counted: 'mutants',
      state,
      passed: noticed,
      failed,
      milliseconds: 0,
    })
    const value = `${noticed} of ${noticed + failed} (${score.toFixed(1)} %, floor ${floor} %), ${date}`
    figures.push({ promise, name: `${name}: mutants noticed by a test`, value })
  }
  return { files, figures }
}
