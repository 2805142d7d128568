import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A promise of docs/promises.md, or a row of its tables of attacks. */
export interface PromiseOfQuality {
  /** `7`, or `B.12` of an attack. */
  readonly id: string
  readonly title: string
  /** Test files, relative to the root. */
  readonly tests: readonly string[]
}

/** The page's promises: a heading `## 7. Title`, or a row `| B.12 | Attack |`. */
const declared = /^(?:## (\d+)\. (.+)|\| ([A-Z]\.\d+) \| ([^|]+) \|.*)$/gm

/** What a test file says of itself: `// @promise 4 24 B.12`. */
const tag = /^\/\/ @promise (.+)$/m

/** Every test file, and its text. */
export function readTestFiles(): ReadonlyMap<string, string> {
  const files = globSync('{apps,packages,tools,examples}/*/**/*.{test.ts,test.tsx,e2e.ts,t.sol}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|out|\.cache)$/.test(path),
  })
  return new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** The promises that a test file names. */
export const tagsOf = (text: string): readonly string[] => tag.exec(text)?.[1]?.trim().split(/\s+/) ?? []

/** Reads docs/promises.md, and which tests show each promise. */
export function readPromises(): PromiseOfQuality[] {
  const tags = [...readTestFiles()].map(([file, text]) => ({ file, ids: tagsOf(text) }))
  const page = readFileSync(join(root, 'docs/promises.md'), 'utf8')
  return [...page.matchAll(declared)].map(([, number, promise = '', row = '', attack = '']) => {
    const id = number ?? row
    const tests = tags.flatMap(({ file, ids }) => (ids.includes(id) ? [file] : []))
    return { id, title: promise || attack, tests }
  })
}

/** The package of a file: the folder two levels below the root. */
export const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/')

export const isSolidity = (path: string): boolean => path.endsWith('.sol')
