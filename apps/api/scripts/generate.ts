/** Writes every generated file of this app. With --check it only compares, and fails where one is stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

emit(at('../src/routers/index.generated.ts'), routerIndex(at('../src/routers/')))
