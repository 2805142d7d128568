/** Writes the API pages of the published packages. With --check it only compares, and fails where one is stale. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiPage } from './api-page.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const checking = process.argv.includes('--check')

mkdirSync(`${root}docs/api`, { recursive: true })
for (const name of ['client', 'connect', 'mcp', 'react', 'viem']) {
  const folder = `${root}packages/${name}`
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const page = `${root}docs/api/${name}.md`
  const text = apiPage(`@lanyard/${name}`, folder, exports)
  if (existsSync(page) && readFileSync(page, 'utf8') === text) continue
  if (checking) {
    console.error(`${page} is stale: run pnpm generate`)
    process.exitCode = 1
  } else writeFileSync(page, text)
}
