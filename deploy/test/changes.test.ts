import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Change {
  readonly section: string
  readonly line: string
}

const program: {
  readChangeset(text: string): Change
  addChanges(changelog: string, version: string, changes: readonly Change[]): string
} = await import(new URL('../../scripts/apply-changesets.mjs', import.meta.url).href)
const { addChanges, readChangeset } = program

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const changeset = (bump: string, text: string) => `---\n"@lanyard/client": ${bump}\n---\n\n${text}\n`

test('default: a changeset becomes a line of its section', () => {
  expect(readChangeset(changeset('minor', 'A new\nthing.'))).toEqual({
    section: 'Added and changed',
    line: 'A new thing.',
  })
  expect(readChangeset(changeset('patch', 'A fix.')).section).toBe('Fixed')
  expect(readChangeset(changeset('patch', 'Security: a hole is closed.'))).toEqual({
    section: 'Security',
    line: 'a hole is closed.',
  })
})

test('behavior: a new version stands above the earlier ones, and the same version takes more lines', () => {
  const first = '# Changelog\n\n## 0.1.0\n\nThe first release.\n\n### Added\n\n- a\n'
  const fix = readChangeset(changeset('patch', 'b'))
  const joined = addChanges(first, '0.1.0', [fix])
  expect(joined).toBe(`${first}\n### Fixed\n\n- b\n`)
  const next = addChanges(joined, '0.2.0', [fix, readChangeset(changeset('minor', 'c'))])
  expect(next).toBe(
    `# Changelog\n\n## 0.2.0\n\n### Added and changed\n\n- c\n\n### Fixed\n\n- b\n\n${joined.slice(joined.indexOf('## 0.1.0'))}`,
  )
  expect(addChanges(next, '0.2.0', [readChangeset(changeset('patch', 'd'))])).toContain(
    '### Fixed\n\n- d\n- b\n\n## 0.1.0\n',
  )
})

test('behavior: everything has one version, and the changelog has it and says what is unaudited', () => {
  const manifests = globSync('{apps,packages,tools,examples}/*/package.json', { cwd: root })
  const versions = new Set(manifests.map((path) => JSON.parse(read(path)).version))
  expect([...versions]).toHaveLength(1)
  const changelog = read('CHANGELOG.md')
  expect(changelog).toContain(`\n## ${[...versions][0]}\n`)
  expect(changelog).toMatch(/### Not audited\n\n\*\*None of our code is audited\*\*/)
  expect(JSON.parse(read('.changeset/config.json'))).toMatchObject({
    fixed: [['@lanyard/*', 'create-lanyard']],
    changelog: false,
  })
})

test('error: a tag that does not fit is named with all reasons', () => {
  const check = () =>
    execFileSync(process.execPath, [join(root, 'scripts/check-release.mjs'), 'v9.9.9'], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  expect(check).toThrow(/@lanyard\/client has the version .*\n[\s\S]*CHANGELOG\.md has no 9\.9\.9/)
})
