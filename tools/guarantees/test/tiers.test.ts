import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/* A test with the tag of a slower tier runs nowhere if its package lacks that tier's command. */

const root = fileURLToPath(new URL('../../..', import.meta.url))
const packages = globSync('{{apps,packages,tools,examples}/*,deploy}/package.json', { cwd: root }).map(
  dirname,
)

const commandsOf = (folder: string): readonly string[] =>
  Object.keys(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).scripts ?? {})

test.each([
  ['all', 'test:all'],
  ['long', 'test:long'],
  ['longer', 'test:long'],
])('behavior: every package with tests that are tagged %s has %s', (tag, command) => {
  const tagged = packages.filter((folder) =>
    globSync(`${folder}/**/*.{test,e2e}.{ts,tsx}`, {
      cwd: root,
      exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
    }).some((file) => readFileSync(join(root, file), 'utf8').includes(`/** @module-tag ${tag} */`)),
  )
  expect(tagged).not.toEqual([])
  expect(tagged.filter((folder) => !commandsOf(folder).includes(command))).toEqual([])
})
