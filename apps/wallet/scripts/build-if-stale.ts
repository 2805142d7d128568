import { fileURLToPath, pathToFileURL } from 'node:url'
import { isStale } from '@lanyard/ui/build'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Inputs of the build. Other packages contribute types only, or change together with their version. */
const sources = [
  'src',
  'public',
  'index.html',
  'connect.html',
  'vite.config.ts',
  'package.json',
  '../../packages/accounts/src',
  '../../packages/calls/src',
  '../../packages/client/src',
  '../../packages/connect/src',
  '../../packages/onchain/src',
  '../../packages/session-keys/src',
  '../../packages/ui/build',
  '../../packages/ui/src',
]

/** Builds the wallet if necessary. Vite is loaded only then. */
export async function buildIfStale(): Promise<void> {
  if (!(await isStale(root, 'dist/index.html', sources))) return
  const { build } = await import('vite')
  await build({ root, logLevel: 'warn' })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale()
