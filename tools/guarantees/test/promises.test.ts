import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hostileAttempts } from '../src/promises/hostile-callers.ts'
import type { Suite } from '../src/promises/promise.ts'
import { promises } from '../src/promises/promises.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('behavior: numbers are unique and in order', () => {
  const numbers = promises.map(({ id }) => id)
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
})

test('behavior: every test of an attack belongs to a promise', () => {
  const listed = promises.flatMap(({ suites }) =>
    suites.flatMap((suite) => suite.files.map((file) => `${suite.package}/${file}`)),
  )
  expect(hostileAttempts.flatMap(({ files }) => files).filter((file) => !listed.includes(file))).toEqual([])
})

test('behavior: every test that reports figures belongs to a promise', () => {
  const counting = globSync('{apps,packages}/*/{src,test}/**/*.test.ts', { cwd: root }).filter((file) =>
    /\breport(Figure|Passed)\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(counting.length).toBeGreaterThan(20)
  const listed = promises.flatMap(({ suites }) =>
    suites.flatMap((suite) => suite.files.map((file) => `${suite.package}/${file}`)),
  )
  expect(counting.filter((file) => !listed.includes(file))).toEqual([])
})

describe.each(promises)('$id $title', ({ suites }) => {
  test('behavior: has a test', () => {
    expect(suites.flatMap((suite) => suite.files).length).toBeGreaterThan(0)
  })

  test('behavior: npm test runs at least one of its tests', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'tools/bench/package.json'), 'utf8'))
    const isFast = (suite: Suite, file: string) =>
      suite.runner === 'forge' ||
      (suite.runner === 'bench' && scripts.test.includes(`${file.split('#')[1]} --check`)) ||
      (suite.runner === 'vitest' &&
        !/@module-tag (all|long)\b/.test(readFileSync(join(root, suite.package, file), 'utf8')))
    expect(suites.some((suite) => suite.files.some((file) => isFast(suite, file)))).toBe(true)
  })

  const files = suites.flatMap((suite) => suite.files.map((file) => `${suite.package}/${file}`))
  test.each(files)('behavior: %s exists', (file) => {
    const [path = '', anchor] = file.split('#')
    expect(existsSync(join(root, path))).toBe(true)
    if (anchor) expect(readFileSync(join(root, path), 'utf8')).toContain(`<a id="${anchor}">`)
  })

  // Otherwise only a run of hours would notice a figure that no test reports any more.
  const reported = suites.filter(({ runner }) => runner === 'vitest')
  for (const suite of reported) {
    if (!suite.figures?.length) continue
    test.each(suite.figures)(`behavior: ${suite.package}, %s, is reported by one of the files`, (figure) => {
      const texts = suite.files.map((file) => readFileSync(join(root, suite.package, file), 'utf8'))
      expect(texts.some((text) => text.includes(figure))).toBe(true)
    })
  }
})
