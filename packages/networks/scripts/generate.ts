/** Writes `networks.schema.json`, for editors. With --check it only compares. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { networksFileSchema } from '../src/networks-file-schema.ts'

const target = new URL('../networks.schema.json', import.meta.url)

/** Uses the linter's format, so that the committed file needs no exception. */
const content = execFileSync('biome', ['format', '--stdin-file-path=networks.schema.json'], {
  cwd: new URL('..', import.meta.url),
  input: JSON.stringify(networksFileSchema(), null, 2),
  encoding: 'utf8',
})

if (!process.argv.includes('--check')) writeFileSync(target, content)
else if (!existsSync(target) || readFileSync(target, 'utf8') !== content) {
  console.error('packages/networks/networks.schema.json is stale: run pnpm generate')
  process.exitCode = 1
}
