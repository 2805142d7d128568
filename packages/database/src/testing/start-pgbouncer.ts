import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@lanyard/testing'
import pg from 'pg'
import { isProgram } from './postgres-binaries.ts'
import { unprivilegedUser } from './temporary-cluster.ts'

/** Debian's package `pgbouncer` puts it where only root's path leads. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find(isProgram)

export const hasPgbouncer = program !== undefined

export interface Pgbouncer extends AsyncDisposable {
  /** URL of the same database, behind the pooler. */
  readonly url: string
}

/**
 * Starts PgBouncer in transaction mode before a database, with few connections: consecutive transactions of a client reach
 * different ones.
 */
export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  if (!program) throw new Error('PgBouncer is not installed: check hasPgbouncer first.')
  const owner = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-pgb-'))
  const port = await freePorts(1)
  const { pathname, searchParams, hostname, port: serverPort, username, password } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const server = [
    `host=${searchParams.get('host') ?? hostname} port=${serverPort || '5432'} dbname=${name}`,
    `user=${decodeURIComponent(username)}`,
    ...(password ? [`password=${decodeURIComponent(password)}`] : []),
  ].join(' ')
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${name} = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  )
  if (owner) await Promise.all([folder, file].map((path) => chown(path, owner.uid, owner.gid)))
  const child = spawn(program, [file], { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const url = `postgresql://lanyard@127.0.0.1:${port}/${name}`
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true })
  }
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return { url, [Symbol.asyncDispose]: stop }
    } catch (cause) {
      if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`, { cause })
      await delay(25)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
