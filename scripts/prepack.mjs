/**
 * `prepack` of every public package: builds `dist` from scratch, or fails.
 *
 * In the repository, `exports` names the sources, and workspace dependencies are `workspace:` ranges. Only
 * pnpm replaces both when it packs (`publishConfig`, versions). npm, yarn and bun would pack a package that
 * nobody can install, so this script rejects them before they read anything.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'

function refuse(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const { name, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'))
// biome-ignore lint/suspicious/noUndeclaredEnvVars: prepack is no task of turbo
const [manager] = (process.env.npm_config_user_agent ?? '').split('/')
if (manager !== 'pnpm') {
  refuse(
    `${name} is packed by pnpm only: run \`npx pnpm pack\` (or \`npx pnpm publish\`) in this folder. ` +
      `${manager || 'Another tool'} would pack exports of src and workspace: ranges, which nobody can install.`,
  )
}

rmSync('dist', { recursive: true, force: true })
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '--project', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
if (status !== 0) refuse(`${name} is not packed: it does not compile. Run \`pnpm build\` in this folder.`)

const named = [
  ...Object.values(publishConfig.exports).flatMap((entry) => Object.values(entry)),
  ...Object.values(publishConfig.bin ?? {}),
]
const missing = named.filter((path) => !existsSync(path))
if (missing.length > 0) {
  refuse(`${name} is not packed: publishConfig names ${missing.join(', ')}, which the build does not create.`)
}
