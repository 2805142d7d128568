import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Inputs of the build. The service contributes types only. */
const sources = [
  ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json'],
  ...['../wallet/src/ui', '../wallet/src/theme', '../wallet/src/styles.css'],
]

/** Modification time of the newest of these files, in milliseconds. */
async function newest(path: string): Promise<number> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))))
  return Math.max(entry.mtimeMs, ...times)
}

/** Builds the console if `dist` is missing or older than any of its inputs. Vite is loaded only then. */
async function buildIfStale(): Promise<void> {
  const built = await stat(join(root, 'dist/index.html')).catch(() => undefined)
  const times = await Promise.all(sources.map((source) => newest(join(root, source))))
  if (built && Math.max(...times) <= built.mtimeMs) return
  const { build } = await import('vite')
  await build({ root, logLevel: 'warn' })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale()
