/**
 * Fails if something that is fetched is not pinned (`pnpm check:pins`): actions of workflows by their commit, images by
 * their digest, programs that npx fetches by an exact version; and if versions may be resolved before they are a day
 * old. It checks the form. With `--ask-registries`, as before a release, it also asks each image's registry whether it has that
 * digest, by docker and the network.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')

/** Minutes. */
const minReleaseAge = 1_440

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`)
const images = ['deploy/Dockerfile', 'deploy/compose.yaml']
const programs = [...workflows, ...images, '.ci/run', 'scripts/run.mjs', 'deploy/assemble.mjs']

/** The texts that an expression finds in a file and that do not have the right form. */
const unpinned = (path, found, isPinned) =>
  [...read(path).matchAll(found)]
    .map(([, text]) => text)
    .filter((text) => !isPinned(text))
    .map((text) => `${path}: ${text}`)

/** Names of the stages of a Dockerfile, and images that it builds. */
const stages = [...read('deploy/Dockerfile').matchAll(/^FROM \S+ AS (\S+)/gim)].map(([, name]) => name)
const isOwnImage = (image) => stages.some((stage) => image === stage || image === `lanyard-${stage}`)

const problems = [
  ...workflows.flatMap((path) =>
    unpinned(path, /^\s*(?:- )?uses:\s*["']?([^\s"'#]+)/gm, (action) =>
      /^\.\/|^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action),
    ),
  ),
  ...images.flatMap((path) =>
    unpinned(
      path,
      /^(?:FROM|\s*image:)\s+["']?([^\s"']+)/gim,
      (image) => isOwnImage(image) || /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image),
    ),
  ),
  ...workflows.flatMap((path) =>
    unpinned(path, /^\s+image:\s+["']?([^\s"']+)/gm, (image) => /@sha256:[0-9a-f]{64}$/.test(image)),
  ),
  ...programs.flatMap((path) =>
    unpinned(path, /\bnpx (?:-y|--yes) ([@\w/.-]+)/g, (program) => /^.+@\d+\.\d+\.\d+$/.test(program)),
  ),
]
const age = Number(/^minimumReleaseAge: (\d+)$/m.exec(read('pnpm-workspace.yaml'))?.[1] ?? 0)
if (age < minReleaseAge) problems.push(`pnpm-workspace.yaml: minimumReleaseAge is ${age} minutes`)

if (process.argv.includes('--ask-registries')) {
  const named = images.flatMap((path) => read(path).match(/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}/g) ?? [])
  for (const image of new Set(named)) {
    const { status, stderr } = spawnSync('docker', ['buildx', 'imagetools', 'inspect', image], {
      encoding: 'utf8',
    })
    if (status !== 0)
      problems.push(`${image}: its registry does not show it (${stderr?.trim() || 'no docker here'})`)
  }
}

for (const problem of problems) process.stderr.write(`not pinned: ${problem}\n`)
process.exit(problems.length > 0 ? 1 : 0)
