import { readdir, rename, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compressFolder } from '@lanyard/wallet/scripts/compress.ts'
import { otherPages } from '../.vitepress/pages.ts'
import { generatedFrom } from './generated-pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Inputs of the build. */
const sources = [
  '.vitepress/config.ts',
  '.vitepress/pages.ts',
  '.vitepress/repository-links.ts',
  '.vitepress/sidebar.ts',
  '.vitepress/theme',
  'public',
  'scripts',
  'package.json',
  ...['docs', ...Object.keys(otherPages), ...generatedFrom].map((path) => `../../${path}`),
]

/** Modification time of the newest of these files, in milliseconds. */
async function newest(path: string): Promise<number> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))))
  return Math.max(entry.mtimeMs, ...times)
}

async function isStale(): Promise<boolean> {
  const built = await stat(join(root, 'dist/index.html')).catch(() => undefined)
  if (!built) return true
  const times = await Promise.all(sources.map((source) => newest(join(root, source))))
  return Math.max(...times) > built.mtimeMs
}

/**
 * Builds the site. Replaces the previous build only when the new one is complete, since a service may be
 * serving it.
 */
export async function buildSite(): Promise<void> {
  const { build } = await import('vitepress')
  const next = join(root, `dist-${process.pid}`)
  await build(root, { outDir: next })
  await compressFolder(next)
  await rm(join(root, 'dist'), { recursive: true, force: true })
  await rename(next, join(root, 'dist'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const always = process.argv.includes('--always')
  // `npm start` builds while the service starts, and the service comes first.
  if (!always) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  if (always || (await isStale())) await buildSite()
}
