import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '@lanyard/testing'
import type { Suite } from '../promise.ts'
import { type FileOutcome, pathOf, type RunOutcome } from './outcome.ts'

/**
 * Reads the last measurements of benches from the page that `pnpm bench` writes. A bench passes if every goal
 * is met. A file is the page with the anchor of a bench, `benchmarks.md#build`.
 */
export function readBench(suite: Suite, promise: number, root: string): RunOutcome {
  const files: FileOutcome[] = []
  const figures: Figure[] = []
  for (const file of suite.files) {
    const [page = '', bench = ''] = file.split('#')
    const section = sectionOf(readFileSync(join(root, suite.package, page), 'utf8'), bench)
    if (section === undefined) continue
    // The last cell of a row is its verdict.
    const passed = section.match(/\| met \|$/gm)?.length ?? 0
    const failed = section.match(/\| \*\*missed\*\* \|$/gm)?.length ?? 0
    const state = failed > 0 ? 'failed' : 'passed'
    files.push({ file: pathOf(suite, file), counted: 'goals', state, passed, failed, milliseconds: 0 })
    const [date = ''] = /^\d{4}-\d\d-\d\d(?=\. )/m.exec(section) ?? []
    const value = `${passed} of ${passed + failed}, measured on ${date}`
    figures.push({ promise, name: `goals met: ${bench}`, value })
  }
  return { files, figures }
}

/** The section from the bench's anchor to the next one. Undefined if it was never measured. */
const sectionOf = (page: string, bench: string): string | undefined =>
  page.split(/^(?=<a id=")/m).find((section) => section.startsWith(`<a id="${bench}">`))
