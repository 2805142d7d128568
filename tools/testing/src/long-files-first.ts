import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const tag = /^\/\*\* @module-tag first \*\//m

/**
 * Files tagged `first` run before the others of their package. In a fresh clone vitest knows no durations and begins with
 * the largest files, so that a short file that takes long would run last, beside idle cores.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const { first = [], others = [] } = Object.groupBy(sorted, ({ moduleId }) =>
      tag.test(readFileSync(moduleId, 'utf8')) ? 'first' : 'others',
    )
    return [...first, ...others]
  }
}
