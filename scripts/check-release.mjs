/**
 * Checks that the commit of a tag is a release: `node scripts/check-release.mjs v0.1.0`. All versions are that of the tag, no change
 * waits for a version, CHANGELOG.md has the version, and release.json says that documents may name what is published.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publicPackages, publicPrograms, root } from './pack-packages.mjs'

const [tag = ''] = process.argv.slice(2)
const version = tag.replace(/^v/, '')
const released = [...(await publicPackages()), ...(await publicPrograms())]
const read = (path) => readFile(join(root, path), 'utf8')
const waiting = (await readdir(join(root, '.changeset'))).filter(
  (file) => file.endsWith('.md') && file !== 'README.md',
)
const problems = [
  ...(/^v\d+\.\d+\.\d+$/.test(tag) ? [] : [`the tag "${tag}" is no version, such as v0.1.0`]),
  ...released
    .filter(({ manifest }) => manifest.version !== version)
    .map(({ manifest }) => `${manifest.name} has the version ${manifest.version}`),
  ...waiting.map((file) => `.changeset/${file} waits for a version: pnpm changes`),
  ...((await read('CHANGELOG.md')).includes(`\n## ${version}\n`) ? [] : [`CHANGELOG.md has no ${version}`]),
  ...(JSON.parse(await read('release.json')).published
    ? []
    : ['release.json says that nothing is published']),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
