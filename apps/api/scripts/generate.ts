/** Writes every committed file that is generated in this app. With --check it only compares, and fails where one is stale. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../src/transport/openapi/document.ts'
import { configurationPage } from './configuration-page.ts'
import { errorsPage } from './errors-page.ts'
import { routerIndex } from './router-index.ts'

const at = (path: string) => new URL(path, import.meta.url)
const checking = process.argv.includes('--check')

function emit(file: URL, source: string): void {
  const current = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (current === source) return
  if (checking) {
    console.error(`${fileURLToPath(file)} is stale: run pnpm generate`)
    process.exitCode = 1
  } else {
    writeFileSync(file, source)
  }
}

/** As the linter wants it, so that the committed file needs no exception. */
const formatJson = (value: unknown) =>
  execFileSync('biome', ['format', '--stdin-file-path=openapi.json'], {
    cwd: at('..'),
    input: JSON.stringify(value, null, 2),
    encoding: 'utf8',
  })

emit(at('../src/routers/index.generated.ts'), routerIndex(at('../src/routers/')))
emit(at('../openapi.json'), formatJson(openApiDocument()))
emit(at('../../../docs/configuration.md'), configurationPage())
emit(at('../../../docs/errors.md'), errorsPage())
