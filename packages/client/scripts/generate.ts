/**
 * Generates src/generated from the service's OpenAPI document. With --check, generates into a temporary
 * folder and compares.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { endpoints } from '@lanyard/contracts'
import { operationsSource } from './operations-source.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const committed = at('../src/generated')

/** The generator's own transport code does not satisfy our compiler options. */
function exemptTransport(path: string): void {
  for (const file of globSync('{client,core}/*.gen.ts', { cwd: path })) {
    const source = readFileSync(join(path, file), 'utf8')
    writeFileSync(join(path, file), `// @ts-nocheck\n${source}`)
  }
}

async function generateInto(path: string): Promise<void> {
  await createClient({
    input: at('../../../apps/api/openapi.json'),
    logs: { level: 'silent', file: false },
    output: { path, module: { extension: '.ts' }, postProcess: [] },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  })
  exemptTransport(path)
  const document = JSON.parse(readFileSync(at('../../../apps/api/openapi.json'), 'utf8'))
  writeFileSync(join(path, 'operations.ts'), operationsSource(document, Object.keys(endpoints)))
}

/** Reads every file below a folder: path → text. */
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
