import { rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compressFolder, isStale } from '@lanyard/ui/build'
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
  if (always || (await isStale(root, 'dist/index.html', sources))) await buildSite()
}
