import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hostileAttempts } from '../src/promises/hostile-callers.ts'
import type { Suite } from '../src/promises/promise.ts'
import { promises } from '../src/promises/promises.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readText = (path: string) => readFileSync(join(root, path), 'utf8')

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
    /\breport(Figure|Passed)\(/.test(readText(file)),
  )
  expect(counting.length).toBeGreaterThan(20)
  const listed = promises.flatMap(({ suites }) =>
    suites.flatMap((suite) => suite.files.map((file) => `${suite.package}/${file}`)),
  )
  expect(counting.filter((file) => !listed.includes(file))).toEqual([])
})

/** Whether forge runs one of these Solidity tests in npm test: the profile `fast` names what it leaves out. */
function isFastInForge(folder: string, file: string): boolean {
  const [, list = '[]'] = /^\[profile\.fast\]\nskip = (.*)$/m.exec(readText(`${folder}/foundry.toml`)) ?? []
  const skipped: string[] = JSON.parse(list)
  expect(skipped).not.toEqual([])
  const tests = globSync(file.endsWith('.sol') ? file : `${file}/**/*.t.sol`, { cwd: join(root, folder) })
  return tests.some((test) => !skipped.some((pattern) => matchesGlob(test, pattern)))
}

test('behavior: forge leaves out of npm test what its profile skips', () => {
  expect(isFastInForge('packages/onchain', 'contracts/test/attacks')).toBe(true)
  expect(isFastInForge('packages/onchain', 'contracts/test/attacks/Reenter.t.sol')).toBe(true)
  expect(isFastInForge('packages/onchain', 'contracts/test/session-keys')).toBe(false)
})

describe.each(promises)('$id $title', ({ suites }) => {
  test('behavior: has a test', () => {
    expect(suites.flatMap((suite) => suite.files).length).toBeGreaterThan(0)
  })

  test('behavior: npm test runs at least one of its tests', () => {
    const { scripts } = JSON.parse(readText('tools/bench/package.json'))
    const isFast = (suite: Suite, file: string) =>
      (suite.runner === 'forge' && isFastInForge(suite.package, file)) ||
      (suite.runner === 'bench' && scripts.test.includes(`${file.split('#')[1]} --check`)) ||
      (suite.runner === 'vitest' && !/@module-tag (all|long)\b/.test(readText(`${suite.package}/${file}`)))
    expect(suites.some((suite) => suite.files.some((file) => isFast(suite, file)))).toBe(true)
  })

  const files = suites.flatMap((suite) => suite.files.map((file) => `${suite.package}/${file}`))
  test.each(files)('behavior: %s exists', (file) => {
    const [path = '', anchor] = file.split('#')
    expect(existsSync(join(root, path))).toBe(true)
    if (anchor) expect(readText(path)).toContain(`<a id="${anchor}">`)
  })

  // Otherwise only a run of hours would notice a figure that no test reports any more.
  const reported = suites.filter(({ runner }) => runner === 'vitest')
  for (const suite of reported) {
    if (!suite.figures?.length) continue
    test.each(suite.figures)(`behavior: ${suite.package}, %s, is reported by one of the files`, (figure) => {
      const texts = suite.files.map((file) => readText(`${suite.package}/${file}`))
      expect(texts.some((text) => text.includes(figure))).toBe(true)
    })
  }
})
