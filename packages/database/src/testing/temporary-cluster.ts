import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

export interface TemporaryCluster extends AsyncDisposable {
  /** URL of its `postgres` database, over a unix socket. */
  readonly url: string
}

interface TemporaryClusterOptions {
  /** Whether a commit waits for the disk, as it does in production. Default: false, for tests. */
  readonly durable?: boolean
  /** The primary whose standby it becomes, by streaming replication. */
  readonly standbyOf?: TemporaryCluster
}

/**
 * Runs PostgreSQL. When standard input closes, it stops PostgreSQL and removes its folder. Standard input
 * closes when the parent process ends, by any signal, so no process is left behind.
 */
const supervisor = `
  trap '' INT HUP TERM
  "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c max_connections=200 \
    -c fsync="$3" -c synchronous_commit="$3" -c full_page_writes="$3" </dev/null >"$2/log" 2>&1 &
  read -r _
  kill -INT $!
  wait $!
  rm -rf "$2"`

/**
 * Starts an empty PostgreSQL, or a standby, that listens only on a unix socket in a folder of its own. The folder's
 * name is short, since a socket's path has at most 107 bytes.
 *
 * @param binaries Folder of `initdb` and `postgres`; for a standby, of `pg_basebackup` too.
 */
export async function startTemporaryCluster(
  binaries: string,
  { durable = false, standbyOf }: TemporaryClusterOptions = {},
): Promise<TemporaryCluster> {
  const owner = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-pg-'))
  if (owner) await chown(folder, owner.uid, owner.gid)

  const data = join(folder, 'data')
  const [program, ...parameters] = standbyOf
    ? ['pg_basebackup', '-D', data, '-d', standbyOf.url, '--write-recovery-conf', '--checkpoint=fast']
    : [
        'initdb',
        '-D',
        data,
        '-U',
        'lanyard',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        '--no-sync',
      ]
  await promisify(execFile)(join(binaries, program), parameters, { ...owner, cwd: folder })
  const server = spawn('/bin/sh', ['-c', supervisor, 'sh', binaries, folder, durable ? 'on' : 'off'], {
    ...owner,
    cwd: folder,
    detached: true, // Ctrl-C reaches only vitest, and the supervisor through the closed pipe.
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  server.unref()
  const exited = once(server, 'exit')
  const stop = async () => {
    server.ref() // Otherwise Node may exit first.
    server.stdin.end()
    await exited
  }
  const url = `postgresql://lanyard@localhost/postgres?host=${encodeURIComponent(folder)}`
  try {
    await untilReady(url)
  } catch (cause) {
    const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
    await stop()
    throw new Error(`The temporary PostgreSQL did not start:\n${log}`, { cause })
  }
  return { url, [Symbol.asyncDispose]: stop }
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 240_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** initdb refuses to run as root, so this is the user that PostgreSQL's package created, or nobody. */
export async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}
