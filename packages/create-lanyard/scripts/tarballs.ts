/**
 * Makes the tarballs of all that an app needs before our packages are published: `node scripts/tarballs.ts <folder>`. They are
 * those of this package, of @lanyard/react with what it needs, and of @lanyard/service.
 */
import { execFile } from 'node:child_process'
import { cp, readdir } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = (program: string, parameters: readonly string[]) =>
  promisify(execFile)(program, parameters, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` },
  })

const [, , target] = process.argv
if (!target) throw new Error('Name the folder of the tarballs.')
const folder = resolve(target)
await run(process.execPath, ['scripts/pack-packages.mjs', 'create-lanyard', '@lanyard/react', folder])
await run('pnpm', ['--filter', '@lanyard/service', 'tarball'])
const made = join(root, 'apps/service/artifacts')
for (const file of await readdir(made))
  if (/^lanyard-service-.*\.tgz$/.test(file)) await cp(join(made, file), join(folder, file))
for (const file of (await readdir(folder)).toSorted()) process.stdout.write(`${join(folder, file)}\n`)
