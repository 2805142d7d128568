/**
 * Publishes tarballs that `pnpm pack:packages --all` made: `node scripts/publish-packages.mjs <folder>`. A version that the registry
 * has already is left out, so a release that stopped half-way can be repeated. CI attests where they were built.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './pack-packages.mjs'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Name the folder of the tarballs')
  process.exit(2)
}
for (const file of (await readdir(folder)).filter((name) => name.endsWith('.tgz'))) {
  const tarball = join(folder, file)
  const { name, version } = JSON.parse(await run('tar', ['-xzOf', tarball, 'package/package.json']))
  const published = await run('npm', ['view', `${name}@${version}`, 'version']).catch((error) => {
    if (/E404/.test(error.message)) return ''
    throw error
  })
  if (published.trim() === version) console.log(`${name}@${version} is published already`)
  else console.log(await run('npm', ['publish', tarball, '--provenance', '--access', 'public']))
}
