import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Inputs of the build. */
const sources = [
  'src',
  'scripts',
  'package.json',
  '../../packages/accounts/src',
  '../../packages/smart-balance/src',
  '../../packages/onchain/src',
]

/** Modification time of the newest of these files, in milliseconds. */
async function newest(path: string): Promise<number> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))))
  return Math.max(entry.mtimeMs, ...times)
}

/** Builds the page if it is missing or older than any of its inputs. Vite is loaded only then. */
export async function buildIfStale(): Promise<void> {
  const built = await stat(join(root, 'dist/recovery.html')).catch(() => undefined)
  const times = await Promise.all(sources.map((source) => newest(join(root, source))))
  if (built && Math.max(...times) <= built.mtimeMs) return
  const { buildPage } = await import('./build.ts')
  await buildPage()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale()
