import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Balancer } from './balancer-address.ts'

/** The shipped configurations: in front of replicas under systemd, and under Docker. */
export const nginxFiles = ['lanyard.conf', 'compose.conf'] as const

const shipped = (file: string) => new URL(`../../../../deploy/nginx/${file}`, import.meta.url)

/** `nobody`, a user who owns nothing. Tests that run as root switch to it. */
const nobody = 65_534

/** A machine may lack IPv6, and nginx then rejects its addresses. */
export const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

const isRoot = process.getuid?.() === 0

/** Finds nginx, which Debian does not put on users' path. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'nginx')).find(isExecutable)
}

interface Nginx extends Balancer {
  readonly pid: number
}

/**
 * Starts nginx without privileges, using a shipped configuration with other addresses, certificates and
 * log.
 *
 * @param replicas - one for `compose.conf`, where one name means all of them
 */
export async function startNginx(
  nginx: string,
  replicas: readonly string[],
  file: (typeof nginxFiles)[number] = 'lanyard.conf',
): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-nginx-'))
  if (isRoot) await chown(directory, nobody, nobody)
  const [redirecting, port] = [await freePort(), await freePort()]
  const log = join(directory, 'requests.log')
  const path = join(directory, 'nginx.conf')
  await writeFile(path, `daemon off;\n${here()}`, { mode: 0o644 })

  function here(): string {
    const servers = replicas.map((url) => `  server ${new URL(url).host} max_fails=0;\n`).join('')
    const upstream =
      file === 'lanyard.conf'
        ? [/( +server 127\.0\.0\.1:300\d max_fails=0;\n)+/, servers]
        : [/set \$lanyard http:\/\/api:3000;/, `set $lanyard ${replicas[0]};`]
    return [
      [/worker_processes auto;\npid .*/, `worker_processes 1;\npid ${directory}/nginx.pid;`],
      [/http \{\n/, `http {\n${inHttp(directory)}`],
      upstream,
      [/listen 80;/, `listen 127.0.0.1:${redirecting};`],
      [/listen \[::\]:80;/, hasIpv6 ? `listen [::1]:${redirecting};` : ''],
      [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
      [/listen \[::\]:443 ssl;/, hasIpv6 ? `listen [::1]:${port};` : ''],
      [/( +ssl_\w+ .*\n)+/, ''],
      [
        /access_log \S+ lanyard if=\S+;/,
        `access_log ${log} tries;\n  access_log ${directory}/shipped.log lanyard;`,
      ],
    ].reduce(
      // the element types of the list above
      (text, [from = '', to]) => replaceOnce(file, text, from as RegExp, to as string),
      readFileSync(shipped(file), 'utf8'),
    )
  }

  const child = spawn(nginx, ['-c', path, '-e', join(directory, 'error.log')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  await accepts(redirecting, child).catch(async (error: unknown) => {
    complaints += await readFile(join(directory, 'error.log'), 'utf8').catch(() => '')
    throw new Error(`nginx did not start: ${complaints}`, { cause: error })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0, // it has started
    name: versionOf(nginx),
    passedOn: async () => {
      const lines = (await readFile(log, 'utf8')).split('\n')
      return lines.filter((line) => line.includes(',')).length
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true })
    },
  }
}

/**
 * Folders to which nginx may write, a log of the statuses that replicas returned for one request, and an address from which a
 * test names the address that it plays: a machine has few of IPv6.
 */
const inHttp = (directory: string) => `
set_real_ip_from 127.0.0.4;
real_ip_header X-Test-Address;
log_format tries '$request_method $uri $status $upstream_status';
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n')}
`

function replaceOnce(file: string, text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new TypeError(`deploy/nginx/${file} has no ${from}`)
  return text.replace(from, () => to) // a `$` is one
}

function versionOf(nginx: string): string {
  const { stderr } = spawnSync(nginx, ['-v'], { encoding: 'utf8' })
  return stderr.trim().replace('nginx version: ', '')
}

/** nginx listens on all its ports before it answers on the port that needs no replica. */
async function accepts(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 60_000
  for (;;) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('nothing accepts')
    const answered = await fetch(`http://127.0.0.1:${port}`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (answered) return
    await delay(25)
  }
}

/** nginx cannot report a port that the system chose, so it gets one that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
