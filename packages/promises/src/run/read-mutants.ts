import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Suite } from '../promise.ts'
import type { Figure } from '../report-figure.ts'
import { type FileOutcome, pathOf, type RunOutcome } from './outcome.ts'

/** What `packages/onchain/scripts/mutants.ts` keeps of a contract. */
interface KeptResult {
  readonly date: string
  readonly results: readonly { readonly guard: string; readonly noticedBy: string | null }[]
}

/** Reads what came of mutants when they were run last: passed where each was noticed by a test. */
export function readMutants(suite: Suite, promise: number, root: string): RunOutcome {
  const files: FileOutcome[] = []
  const figures: Figure[] = []
  for (const folder of suite.files) {
    const path = join(root, pathOf(suite, folder))
    const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')) : []
    let [passed, failed] = [0, 0]
    for (const name of names.toSorted()) {
      const { date, results }: KeptResult = JSON.parse(readFileSync(join(path, name), 'utf8'))
      const killed = results.filter(({ noticedBy }) => noticedBy !== null).length
      passed += killed
      failed += results.length - killed
      const contract = name.replace('.json', '')
      figures.push({
        promise,
        name: `${contract}: guards taken out, noticed by a test`,
        value: `${killed} of ${results.length}, ${date}`,
      })
    }
    const state = failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'missing'
    files.push({ file: pathOf(suite, folder), state, passed, failed, milliseconds: 0 })
  }
  return { files, figures }
}
