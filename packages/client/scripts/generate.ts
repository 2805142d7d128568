/**
 * Generates src/generated from the service's OpenAPI document. With --check it generates elsewhere and compares.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const committed = at('../src/generated')

const generateInto = (path: string) =>
  createClient({
    input: at('../../../apps/api/openapi.json'),
    logs: { level: 'silent', file: false },
    output: { path, module: { extension: '.ts' }, postProcess: [] },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  })

/** Path → text of every file below a folder. */
const readAll = (folder: string) =>
  new Map(
    globSync('**/*.ts', { cwd: folder })
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>) =>
  a.size === b.size && [...a].every(([file, text]) => b.get(file) === text)

if (process.argv.includes('--check')) {
  const fresh = mkdtempSync(join(tmpdir(), 'lanyard-client-'))
  try {
    await generateInto(fresh)
    if (!isSame(readAll(committed), readAll(fresh))) {
      console.error('packages/client/src/generated is stale: run pnpm generate')
      process.exitCode = 1
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
} else {
  await generateInto(committed)
}
