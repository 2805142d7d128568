import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A folder tree with Node.js, npm and a shell, and nothing else: what a person has who has just installed Node.js. */
export interface BareTree extends AsyncDisposable {
  /** Its path outside. */
  readonly path: string
  /** `v20.20.2 with npm 11.19.1` */
  readonly programs: string
  /** Runs commands of its shell to their end. @throws Error with the output if they fail */
  run(commands: string): Promise<string>
  /** Starts commands, and waits until their output matches. Disposing ends all that they started. */
  start(commands: string, ready: RegExp): Promise<AsyncDisposable & { readonly output: string }>
}

/** NODE_20, or the machine's own if it is one. */
const node = process.env.NODE_20 ?? '/usr/bin/node'

/** Libraries of a program, as the dynamic linker finds them. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program])
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
}

/**
 * Makes the tree. It becomes the root of what runs in it (chroot), so it needs the rights of root. The network is the machine's.
 *
 * @throws Error without these rights, or without a Node.js 20
 */
export async function createBareTree(): Promise<BareTree> {
  if (process.getuid?.() !== 0) throw new Error('chroot needs root.')
  const { stdout: version } = await run(node, ['--version'])
  if (!version.startsWith('v20.'))
    throw new Error(`${node} is ${version.trim()}. Set NODE_20 to a Node.js 20.`)
  const npm = resolve(dirname(node), '../lib/node_modules/npm')
  const npmCli = join(npm, 'bin/npm-cli.js')
  const { stdout: npmVersion } = await run(node, [npmCli, '--version'])
  const { stdout: registry } = await run(node, [npmCli, 'config', 'get', 'registry'])

  const path = await mkdtemp(join(tmpdir(), 'lanyard-bare-'))
  const place = (name: string) => join(path, name)
  for (const folder of ['bin', 'usr/bin', 'usr/lib/node_modules', 'etc', 'dev', 'proc', 'tmp', 'root'])
    await mkdir(place(folder), { recursive: true })
  for (const [program, target] of [
    [node, 'usr/bin/node'],
    ['/bin/sh', 'bin/sh'],
    ['/usr/bin/env', 'usr/bin/env'],
  ] as const) {
    await cp(program, place(target), { dereference: true })
    for (const library of await librariesOf(program))
      await cp(library, place(library), { dereference: true, recursive: true })
  }
  // The C library comes whole: native modules of packages use parts of it that Node.js does not.
  const libc = (await librariesOf(node)).find((library) => /\/libc\.so\.\d+$/.test(library))
  for (const name of ['librt.so.1', 'libresolv.so.2', 'libutil.so.1', 'libanl.so.1'])
    if (libc && existsSync(join(dirname(libc), name)))
      await cp(join(dirname(libc), name), place(join(dirname(libc), name)), { dereference: true })
  await cp(npm, place('usr/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, place(`usr/bin/${name}`))
  for (const file of ['resolv.conf', 'hosts'])
    await cp(`/etc/${file}`, place(`etc/${file}`), { dereference: true })
  await writeFile(place('etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  if (authorities) await cp(authorities, place('etc/authorities.pem'), { dereference: true })

  const env = {
    PATH: '/usr/bin:/bin',
    HOME: '/root',
    npm_config_registry: registry.trim(),
    ...(authorities && { NODE_EXTRA_CA_CERTS: '/etc/authorities.pem' }),
  }
  const spawnIn = (commands: string) => {
    const enter = `mount --rbind /dev '${path}/dev' && mount -t proc proc '${path}/proc' && exec chroot '${path}' /bin/sh -ec "$COMMANDS"`
    // The mounts, and all that runs, end with it.
    const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-ec', enter], {
      env: { ...env, PATH: `${process.env.PATH}`, COMMANDS: `PATH=${env.PATH}; cd /root; ${commands}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const program = { child, ended: once(child, 'exit'), output: '' }
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        program.output += chunk
      })
    return program
  }
  return {
    path,
    programs: `${version.trim()} with npm ${npmVersion.trim()}`,
    async run(commands) {
      const program = spawnIn(commands)
      const [code] = await program.ended
      if (code !== 0) throw new Error(`${commands}\n${program.output}`)
      return program.output
    },
    async start(commands, ready) {
      const program = spawnIn(commands)
      while (!ready.test(program.output)) {
        if (program.child.exitCode !== null) throw new Error(`${commands}\n${program.output}`)
        await delay(20)
      }
      return {
        output: program.output,
        async [Symbol.asyncDispose]() {
          program.child.kill('SIGKILL')
          await program.ended
        },
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
