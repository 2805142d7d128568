/** Runs forge with the arguments given: `node scripts/forge.ts test -vvv`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { forgeBinary } from './forge-binary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { status, error } = spawnSync(forgeBinary(), process.argv.slice(2), { cwd: root, stdio: 'inherit' })
if (error) throw error
process.exitCode = status ?? 1
