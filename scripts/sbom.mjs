/**
 * Writes the lists of packages (software bills of materials, CycloneDX 1.6) to `artifacts/sbom`, and checks them:
 * `pnpm sbom:write`. `service.cdx.json` has what the images contain, `workspace.cdx.json` everything that the lockfile
 * names. They are read from the installed packages, without the network. CI keeps them with each run.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'artifacts', 'sbom')

/** Each list, and pnpm's options for it. */
const lists = {
  service: ['--filter', '@lanyard/api', 'sbom', '--prod', '--no-optional', '--sbom-type', 'application'],
  workspace: ['sbom', '--lockfile-only', '--sbom-type', 'application'],
}

const isOurs = ({ group }) => group === '@lanyard'
const hasDigest = ({ externalReferences = [] }) =>
  externalReferences.some(({ hashes = [] }) => hashes.some(({ alg }) => alg === 'SHA-512'))

mkdirSync(folder, { recursive: true })
for (const [name, options] of Object.entries(lists)) {
  const file = join(folder, `${name}.cdx.json`)
  execFileSync(
    'pnpm',
    [...options, '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--out', file],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const { components } = JSON.parse(readFileSync(file, 'utf8'))
  const theirs = components.filter((component) => !isOurs(component))
  const without = theirs.filter((component) => !hasDigest(component)).map(({ purl }) => purl)
  process.stdout.write(`artifacts/sbom/${name}.cdx.json: ${theirs.length} packages of others\n`)
  if (theirs.length > 0 && without.length === 0) continue
  process.stderr.write(`Without a SHA-512 digest: ${without.join(', ') || 'there are no packages'}\n`)
  process.exitCode = 1
}
