import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isSolidity, readPromises, root } from '../src/promises/read-promises.ts'

const promises = readPromises()
const page = readFileSync(join(root, 'docs', 'promises.md'), 'utf8')

test('behavior: numbers are unique and in order', () => {
  expect(promises.map(({ id }) => id)).toEqual(promises.map((_, index) => index + 1))
})

test('behavior: every test of an attack belongs to a promise', () => {
  const [, attacks = ''] = page.split('\n## Hostile callers\n')
  const linked = [...attacks.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = '']) => path)
  expect(linked.length).toBeGreaterThan(20)
  const listed = promises.flatMap(({ tests }) => tests)
  expect(linked.filter((path) => !listed.some((one) => path.startsWith(one)))).toEqual([])
})

test('behavior: every test that reports figures belongs to a promise', () => {
  const counting = globSync('{apps,packages}/*/{src,test}/**/*.test.ts', { cwd: root }).filter((file) =>
    /\breport(Figure|Passed)\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(counting.length).toBeGreaterThan(20)
  const listed = promises.flatMap(({ tests }) => tests)
  expect(counting.filter((file) => !listed.includes(file))).toEqual([])
})

describe.each(promises)('$id $title', ({ tests }) => {
  test('behavior: has tests, and each exists', () => {
    const found = tests.filter((path) => isSolidity(path) || /\.(test|e2e)\.tsx?$/.test(path))
    expect(found).not.toEqual([])
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
