import { fileURLToPath, pathToFileURL } from 'node:url'
import { isStale } from '@lanyard/ui/build'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Inputs of the build. The service contributes types only. */
const sources = [
  ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json'],
  ...['../../packages/calls/src', '../../packages/ui/build', '../../packages/ui/src'],
]

/** Builds the console if `dist` is missing or older than any of its inputs. Vite is loaded only then. */
async function buildIfStale(): Promise<void> {
  if (!(await isStale(root, 'dist/index.html', sources))) return
  const { build } = await import('vite')
  await build({ root, logLevel: 'warn' })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale()
