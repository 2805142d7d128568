/** Writes every generated file of this app. With --check it only compares, and fails where one is stale. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../src/transport/openapi/document.ts'
import { cliPage } from './cli-page.ts'
import { configurationPage } from './configuration-page.ts'
import { endpointPages } from './endpoints-page.ts'
import { errorsPage } from './errors-page.ts'
import { llmsText } from './llms-text.ts'
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
emit(at('../../../docs/cli.md'), await cliPage())
emit(at('../../../docs/errors.md'), errorsPage())
emit(at('../../../docs/llms.txt'), llmsText())
for (const [name, source] of endpointPages()) emit(at(`../../../docs/endpoints/${name}`), source)
