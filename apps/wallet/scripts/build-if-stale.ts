import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Inputs of the build. Other packages contribute types only, or change together with their version. */
const sources = [
  'src',
  'public',
  'index.html',
  'connect.html',
  'vite.config.ts',
  'scripts/compress.ts',
  'package.json',
  '../../packages/accounts/src',
  '../../packages/client/src',
  '../../packages/connect/src',
  '../../packages/onchain/src',
  '../../packages/session-keys/src',
]

/** Modification time of the newest of these files, in milliseconds. */
async function newest(path: string): Promise<number> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))))
  return Math.max(entry.mtimeMs, ...times)
}

/** Whether `dist` is missing or older than any of its inputs. Takes milliseconds. */
export async function isStale(): Promise<boolean> {
  const built = await stat(join(root, 'dist/index.html')).catch(() => undefined)
  if (!built) return true
  const times = await Promise.all(sources.map((source) => newest(join(root, source))))
  return Math.max(...times) > built.mtimeMs
}

/** Builds the wallet if necessary. Vite is loaded only then. */
export async function buildIfStale(): Promise<void> {
  if (!(await isStale())) return
  const { build } = await import('vite')
  await build({ root, logLevel: 'warn' })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale()
