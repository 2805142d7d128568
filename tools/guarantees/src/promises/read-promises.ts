import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A promise of docs/promises.md. */
export interface PromiseOfQuality {
  readonly id: number
  readonly title: string
  /** Test files, or folders of Solidity tests, relative to the root. */
  readonly tests: readonly string[]
}

/** Reads docs/promises.md: a heading `## 7. Title` begins a promise, and its links to tests are the tests that show it. */
export function readPromises(page = join(root, 'docs', 'promises.md')): PromiseOfQuality[] {
  const [, ...sections] = readFileSync(page, 'utf8').split(/^## /m)
  return sections.flatMap((section) => {
    const [, id, title = ''] = /^(\d+)\. (.+)/.exec(section) ?? []
    if (id === undefined) return []
    const links = [...section.matchAll(/\]\((\.\.\/[^)#]+)\)/g)].map(([, link = '']) => link)
    const tests = links.map((link) => relative(root, join(dirname(page), link)))
    return [{ id: Number(id), title, tests: [...new Set(tests)] }]
  })
}

/** The package of a file: the folder two levels below the root. */
export const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/')

export const isSolidity = (path: string): boolean => path.startsWith('packages/onchain/contracts/')
