/**
 * Writes the address of the repository into the manifest of everything that a release publishes:
 * `node scripts/name-repository.mjs <address>`. npm compares it with where the provenance says that a package was built. A fork
 * publishes from its own address, so none is committed.
 */
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { publicPackages, publicPrograms, root } from './pack-packages.mjs'

const [address] = process.argv.slice(2)
if (!address || !/^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(address)) {
  console.error('Name the address of the repository: https://<host>/<owner>/<name>')
  process.exit(2)
}
for (const { path, manifest } of [...(await publicPackages()), ...(await publicPrograms())]) {
  const repository = { type: 'git', url: `git+${address}.git`, directory: relative(root, path) }
  await writeFile(join(path, 'package.json'), `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`)
}
