import { fileURLToPath, pathToFileURL } from 'node:url'
import { isStale } from '@lanyard/ui/build'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Inputs of the build. */
const sources = [
  'src',
  'scripts',
  'package.json',
  '../../packages/accounts/src',
  '../../packages/smart-balance/src',
  '../../packages/onchain/src',
  '../../packages/ui/src/palette.css',
]

/** Builds the pages if one is missing or older than any of their inputs. Vite is loaded only then. */
export async function buildIfStale(): Promise<void> {
  const built = ['dist/recovery.html', 'dist/lanyard-key.html']
  const stale = await Promise.all(built.map((path) => isStale(root, path, sources)))
  if (!stale.includes(true)) return
  const { buildKeyPage, buildPage } = await import('./build.ts')
  await buildPage()
  await buildKeyPage()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale()
