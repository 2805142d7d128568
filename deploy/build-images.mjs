/**
 * Builds both images without a container engine, by buildah, and writes them as OCI archives:
 * `node deploy/build-images.mjs [--twice] <folder>`, as root.
 *
 * The same commit gives the same bytes: files and layers have the time of the commit (`SOURCE_DATE_EPOCH`, if it is set). With
 * `--twice` everything is built a second time from nothing, and the program fails if a digest differs.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const targets = ['api', 'worker']

/** Seconds since 1970 that a build calls now. */
const timestamp =
  process.env.SOURCE_DATE_EPOCH ??
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim()

/**
 * Builds the images in a storage of their own, without what an earlier build left.
 *
 * @param base - an archive of the base image, for a machine that reaches no registry
 * @returns the digest of each image's manifest
 */
function build(folder, base) {
  const storage = mkdtempSync(join(tmpdir(), 'lanyard-storage-'))
  const options = [
    '--root',
    join(storage, 'root'),
    '--runroot',
    join(storage, 'run'),
    '--storage-driver',
    'vfs',
  ]
  const buildah = (...parameters) =>
    execFileSync('buildah', [...options, ...parameters], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 2],
    })
  try {
    const dockerfile = base ? useBase(base, buildah, storage) : 'deploy/Dockerfile'
    return targets.map((target) => {
      const isolated = ['--isolation', 'chroot', '--format', 'oci', '--timestamp', timestamp]
      const file = ['--file', dockerfile, '--ignorefile', 'deploy/Dockerfile.dockerignore', '--layers']
      buildah('build', ...isolated, ...file, '--target', target, '--tag', `lanyard-${target}`, '.')
      const digest = join(storage, `${target}.digest`)
      rmSync(join(folder, `lanyard-${target}.tar`), { force: true })
      buildah(
        'push',
        '--digestfile',
        digest,
        `lanyard-${target}`,
        `oci-archive:${join(folder, `lanyard-${target}.tar`)}`,
      )
      return `lanyard-${target} ${execFileSync('cat', [digest], { encoding: 'utf8' })}`
    })
  } finally {
    execFileSync('rm', ['-rf', storage])
  }
}

/** Gives an archive the name of the base, and the Dockerfile without the digest, which is another one. */
function useBase(base, buildah, storage) {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replace(/@sha256:[0-9a-f]{64}/, '')
  const [, name] = /^FROM (\S+) AS base$/m.exec(text) ?? []
  buildah('tag', buildah('pull', `oci-archive:${base}`).trim(), `docker.io/library/${name}`)
  const path = join(storage, 'Dockerfile')
  writeFileSync(path, text)
  return path
}

const parameters = process.argv.slice(2)
const folder = parameters.findLast((parameter) => !parameter.startsWith('--'))
if (!folder) {
  process.stderr.write('Usage: node deploy/build-images.mjs [--twice] [--base=<OCI archive>] <folder>\n')
  process.exit(2)
}
const base = parameters.find((parameter) => parameter.startsWith('--base='))?.slice('--base='.length)
mkdirSync(folder, { recursive: true })
const digests = build(resolve(folder), base)
process.stdout.write(`${digests.join('\n')}\n`)
if (parameters.includes('--twice')) {
  const again = build(resolve(folder), base)
  const differ = again.filter((digest, index) => digest !== digests[index])
  if (differ.length > 0) {
    process.stderr.write(`Built a second time, they differ:\n${differ.join('\n')}\n`)
    process.exit(1)
  }
  process.stdout.write('Built twice from nothing, they are the same, byte for byte.\n')
}
