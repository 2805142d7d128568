/**
 * Checks the types of the whole repository (`pnpm typecheck`), by TypeScript 7: it needs a fifth of the processor time of
 * TypeScript 6, which stays for what uses the compiler's programming interface.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The first holds every package that runs on Node; the others have other libraries or another JSX. */
const projects = [
  '.',
  'apps/wallet',
  'apps/console',
  'apps/recovery',
  'apps/docs',
  'packages/calls',
  'packages/react',
  'packages/ui',
  'packages/connect/tsconfig.wagmi-2.json',
  'examples/dapp',
  'examples/embedded-app',
  'examples/expo-app',
]

const compiler = fileURLToPath(new URL('../node_modules/typescript-native/bin/tsc', import.meta.url))
// One checker: each further one repeats what they share.
const failed = projects.filter((project) => {
  const { status } = spawnSync(process.execPath, [compiler, '--project', project, '--checkers', '1'], {
    stdio: 'inherit',
  })
  return status !== 0
})
if (failed.length > 0) {
  console.error(`These projects have type errors: ${failed.join(', ')}`)
  process.exitCode = 1
}
