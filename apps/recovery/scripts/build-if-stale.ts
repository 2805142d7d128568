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

/** Builds the page if it is missing or older than any of its inputs. Vite is loaded only then. */
export async function buildIfStale(): Promise<void> {
  if (!(await isStale(root, 'dist/recovery.html', sources))) return
  const { buildPage } = await import('./build.ts')
  await buildPage()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale()
