import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/*
 * Nothing of this repository is on npm yet, and the name `lanyard` belongs to somebody else there. A command that fetches one of
 * our names would run what a stranger published.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url))

const fetched =
  /\b(?:npx|npm (?:exec|create|init)|pnpm (?:dlx|create)|bunx|yarn dlx)(?: -\S+)* (?:@lanyard\/|(?:create-)?lanyard\b)\S*|\b(?:npm (?:i|install)|pnpm add|yarn add|bun add)(?: -(?!-filter)\S+)* (?:@lanyard\/|lanyard\b)\S*/g

const isSource = (path: string) =>
  !/(^|\/)(node_modules|dist|artifacts|generated|\.vitepress\/cache)(\/|$)/.test(path)

test('behavior: the pattern finds such commands', () => {
  const found = ['npx lanyard keys', 'npx -y @lanyard/mcp', 'pnpm add @lanyard/react', 'npm create lanyard']
  for (const text of found) expect(text.match(fetched), text).toHaveLength(1)
  for (const text of ['pnpm lanyard keys', 'npm install ./lanyard-react.tgz', 'npx pnpm install'])
    expect(text.match(fetched), text).toBeNull()
})

test('behavior: no document and no text of the service fetches a package of ours', () => {
  const files = globSync('{*.md,{docs,apps,packages,tools,examples,deploy}/**/*.{md,ts,tsx,json}}', {
    cwd: root,
    exclude: (path) => !isSource(String(path)),
  }).filter((path) => isSource(path) && !path.endsWith('unpublished.test.ts'))
  expect(files.length).toBeGreaterThan(1_000)
  const commands = files.flatMap((path) =>
    (readFileSync(join(root, path), 'utf8').match(fetched) ?? []).map((command) => `${path}: ${command}`),
  )
  expect(commands).toEqual([])
})
