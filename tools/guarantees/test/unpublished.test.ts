import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/*
 * Until release.json says `"published": true`, anyone can take our names on npm, and a command that fetches one of them would run
 * what a third party published. The name `lanyard` belongs to another package there, before and after.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { published }: { published: boolean } = JSON.parse(readFileSync(join(root, 'release.json'), 'utf8'))

const runs = '(?:npx|npm exec|pnpm dlx|bunx|yarn dlx)(?: -\\S+)*'
const creates = '(?:npm|pnpm|yarn|bun) (?:create|init)(?: -\\S+)*'
const installs = '(?:npm (?:i|install)|pnpm add|yarn add|bun add)(?: -(?!-filter)\\S+)*'
const ofOthers = `\\b(?:${runs}|${installs}) lanyard(?![\\w/-])\\S*`
const ofOurs = `\\b(?:${runs}|${installs}) (?:@lanyard/|create-lanyard\\b)\\S*|\\b${creates} (?:@lanyard/|lanyard\\b)\\S*`

/** The commands of a text that fetch a name which is not ours, or not yet. */
const fetchedBy = (text: string, isPublished = published) =>
  text.match(new RegExp(isPublished ? ofOthers : `${ofOthers}|${ofOurs}`, 'g')) ?? []

const isSource = (path: string) =>
  !/(^|\/)(node_modules|dist|artifacts|generated|\.vitepress\/cache)(\/|$)/.test(path)

test('behavior: the pattern finds such commands', () => {
  const ours = [
    'npx -y @lanyard/mcp',
    'pnpm add @lanyard/react',
    'npm create lanyard',
    'npx create-lanyard my-app',
  ]
  const others = ['npx lanyard keys', 'npx -y lanyard@latest', 'npm install lanyard']
  for (const text of [...ours, ...others]) expect(fetchedBy(text, false), text).toHaveLength(1)
  for (const text of ours) expect(fetchedBy(text, true), text).toEqual([])
  for (const text of others) expect(fetchedBy(text, true), text).toHaveLength(1)
  for (const text of ['pnpm lanyard keys', 'npm install ./lanyard-react.tgz', 'npx pnpm install'])
    expect(fetchedBy(text, false), text).toEqual([])
})

test('behavior: no document and no text of the service fetches a package of ours', () => {
  const files = globSync('{*.md,{docs,apps,packages,tools,examples,deploy}/**/*.{md,ts,tsx,json}}', {
    cwd: root,
    exclude: (path) => !isSource(String(path)),
  }).filter((path) => isSource(path) && !path.endsWith('unpublished.test.ts'))
  expect(files.length).toBeGreaterThan(1_000)
  const commands = files.flatMap((path) =>
    fetchedBy(readFileSync(join(root, path), 'utf8')).map((command) => `${path}: ${command}`),
  )
  expect(commands).toEqual([])
})
