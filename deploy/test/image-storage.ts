import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dockerfileText, readStages } from './dockerfile.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const dockerfile = join(root, 'deploy/Dockerfile')
const runtime = 'localhost/lanyard-runtime'

/** The reason why this machine cannot build and run images. Undefined if it can. */
export function whyNoImages(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux'
  if (process.getuid?.() !== 0) return 'only root can build images without an engine'
  const missing = ['buildah', 'debootstrap', 'unshare'].filter(
    (program) => spawnSync(program, ['--version']).error !== undefined,
  )
  return missing.length > 0 ? `this machine has no ${missing.join(', no ')}` : undefined
}

/** @throws Error with the program's output */
function run(program: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return stdout.trim()
  throw new Error(`${program} ${parameters.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}

/** The process settings of an image. */
interface ImageConfig {
  readonly User: string
  readonly WorkingDir: string
  readonly Env: readonly string[]
  readonly Cmd: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export interface Image {
  readonly config: ImageConfig
  /** The image's files on this machine. */
  readonly root: string
  /** Unpacked size of the layers above the base, in bytes. */
  readonly layerBytes: number
}

/** The base is built here, so its digest is not the published one. */
const withoutDigests = (text: string) => text.replaceAll(/@sha256:[0-9a-f]{64}/g, '')

/**
 * Builds images in a folder without a container engine. The `vfs` driver needs no kernel support and copies
 * every layer, so only the last step of a build is kept.
 */
export function createImageStorage(folder: string) {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const buildah = (command: string, ...parameters: readonly string[]) =>
    run('buildah', [...storage, '--storage-driver', 'vfs', command, ...parameters])
  const bud = (parameters: readonly string[]) =>
    buildah('bud', '--isolation', 'chroot', '--pull-never', '--format', 'docker', ...parameters)
  const mount = (image: string) => buildah('mount', buildah('from', '--pull-never', image))

  return {
    /** Replaces the published base image: the same Debian and Node, with npm and a user `node`. */
    makeBase(): string {
      const base = withoutDigests(readStages()[0]?.from ?? '')
      const container = buildah('from', 'scratch')
      const files = buildah('mount', container)
      run('debootstrap', ['--variant=minbase', base.split('-')[1] ?? '', files])
      const local = join(files, 'usr/local')
      cpSync(join(root, 'node_modules/node/bin/node'), join(local, 'bin/node'))
      const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']))))
      cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true })
      for (const name of ['npm', 'npx']) {
        symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name))
      }
      appendFileSync(join(files, 'etc/group'), 'node:x:1000:\n')
      appendFileSync(join(files, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n')
      mkdirSync(join(files, 'home/node'))
      const authorities = process.env.NODE_EXTRA_CA_CERTS
      if (authorities) {
        const inside = '/etc/ssl/certs/extra.crt'
        mkdirSync(dirname(join(files, inside)), { recursive: true })
        cpSync(authorities, join(files, inside), { dereference: true })
        buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${inside}`, container)
      }
      buildah('commit', '--rm', container, `docker.io/library/${base}`)
      return base
    },

    /** Writes the base of `makeBase` as an OCI archive, for `deploy/build-images.mjs`. */
    saveBase(path: string): void {
      buildah(
        'push',
        `docker.io/library/${withoutDigests(readStages()[0]?.from ?? '')}`,
        `oci-archive:${path}`,
      )
    },

    /** Builds the stages shared by both images once. */
    buildRuntime(): void {
      const ignored = ['--ignorefile', `${dockerfile}.dockerignore`]
      const file = join(folder, 'Dockerfile.runtime')
      writeFileSync(file, withoutDigests(dockerfileText))
      bud(['--file', file, ...ignored, '--target', 'runtime', '--tag', runtime, root])
    },

    /** Builds a final stage of the Dockerfile on top of the shared ones. */
    build(target: string): Image {
      const name = `lanyard-${target}`
      const rest = dockerfileText.slice(dockerfileText.indexOf('FROM runtime AS'))
      const file = join(folder, 'Dockerfile')
      writeFileSync(file, `FROM ${runtime} AS runtime\n${rest}`)
      bud(['--file', file, '--target', target, '--tag', name, mkdtempSync(join(folder, 'empty-'))])
      const unpacked = join(folder, name)
      buildah('push', '--disable-compression', name, `dir:${unpacked}`)
      const { layers } = JSON.parse(run('cat', [join(unpacked, 'manifest.json')]))
      const [, ...above]: { size: number }[] = layers
      run('rm', ['-r', unpacked])
      return {
        config: JSON.parse(buildah('inspect', '--type', 'image', name)).Docker.config,
        root: mount(name),
        layerBytes: above.reduce((sum, { size }) => sum + size, 0),
      }
    },
  }
}

/**
 * Does with standard Linux tools what an engine does for deploy/compose.yaml: the image's files are
 * read-only, `/tmp` is in memory, host files are mounted, and the image's user has no capabilities and cannot
 * gain any.
 */
const enter = `
set -e
root=$1; user=$2; folder=$3; shift 3
mount --bind "$root" "$root"
while [ "$1" != -- ]; do mount --bind "$1" "$root$2"; shift 2; done
shift
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/tmp"
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups --bounding-set=-all --inh-caps=-all --no-new-privs \
  env --chdir="$folder" "$@"`

/**
 * Starts a command in an image.
 *
 * @param files - maps paths in the image to paths on this machine
 */
export function startInImage(
  { root, config }: Image,
  {
    command = config.Cmd,
    env = {},
    files = {},
  }: {
    readonly command?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly files?: Readonly<Record<string, string>>
  },
): ChildProcess {
  for (const inside of Object.keys(files)) {
    mkdirSync(dirname(join(root, inside)), { recursive: true })
    writeFileSync(join(root, inside), '', { flag: 'a' })
  }
  const binds = Object.entries(files).flatMap(([inside, here]) => [here, inside])
  const own = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s)))
  return spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'sh', '-c', enter, 'sh'],
      ...[root, config.User, config.WorkingDir, ...binds, '--', ...command],
    ],
    { env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
}
