import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { brokenGuards } from '../scripts/broken-guards.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const tests = join(repository, 'packages/onchain/contracts/test')
const documents = join(repository, 'docs/audit')
const read = (page: string) => readFileSync(join(documents, page), 'utf8')
const pages = readdirSync(documents)

/** Cells of the rows of a page's tables, without heads. */
const rowsOf = (page: string): readonly (readonly string[])[] =>
  read(page)
    .split('\n')
    .filter((line, index, lines) => line.startsWith('|') && !/^\|-/.test(lines[index + 1] ?? ''))
    .filter((line) => !/^\|-/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))

/** What a text names that does not exist: files of tests, and functions of the last file that it names. */
function missingIn(text: string): readonly string[] {
  const missing: string[] = []
  let source = ''
  for (const [, name = ''] of text.matchAll(/`([^`]+)`/g)) {
    if (/^packages\/.*\.test\.ts$/.test(name)) {
      if (!existsSync(join(repository, name))) missing.push(name)
    } else if (/^[\w/.-]+\.t\.sol$/.test(name)) {
      const path = join(tests, name)
      source = existsSync(path) ? readFileSync(path, 'utf8') : ''
      if (source === '') missing.push(name)
    } else if (/^(test|invariant)_\w+$/.test(name) && !source.includes(`function ${name}(`)) {
      missing.push(name)
    }
  }
  return missing
}

describe('documents for auditors', () => {
  test.each(pages)('%s names only tests that exist', (page) => {
    expect(read(page).split('\n').flatMap(missingIn)).toEqual([])
  })

  test.each(['claims.md', 'invariants.md', 'threat-model.md'])('%s names a test in each row', (page) => {
    const rows = rowsOf(page)
    expect(rows.length).toBeGreaterThan(10)
    const untested = rows.filter((cells) => !/`[\w/.-]+\.(t\.sol|test\.ts)`/.test(cells.join('|')))
    expect(untested.map(([first, second]) => `${first}${second}`)).toEqual([])
  })

  test('invariants.md names each broken guard of the campaigns, and no other', () => {
    const named = rowsOf('invariants.md').flatMap((cells) => cells.at(-1)?.trim().split('; ') ?? [])
    expect(named.filter((name) => name !== '').sort()).toEqual(brokenGuards.map(({ name }) => name).sort())
  })

  test.each(brokenGuards)('the guard that "$name" breaks is in the sources, once', (mutant) => {
    const source = readFileSync(join(repository, 'packages/onchain', mutant.file), 'utf8')
    expect(source.split(mutant.original)).toHaveLength(2)
  })
})

describe('the check itself', () => {
  test.each([
    ['`attacks/NoSuchAttack.t.sol`', ['attacks/NoSuchAttack.t.sol']],
    ['`attacks/Reenter.t.sol` `test_withClaim`, `test_withNothing`', ['test_withNothing']],
    ['`test_withClaim`', ['test_withClaim']],
    ['`packages/devnet/test/nothing.test.ts`', ['packages/devnet/test/nothing.test.ts']],
  ])('error: %s', (text, missing) => {
    expect(missingIn(text)).toEqual(missing)
  })
})
