/** @module-tag all */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshDatabase, type TestDatabase, testEngines } from '@lanyard/database/testing'
import { type DevnetNode, startNode, writeNetworksFile } from '@lanyard/devnet'
import { freePorts, readyLine } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readStage } from './dockerfile.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const secretsInImage = '/run/secrets/lanyard.env'
const key = 'a-secret-of-32-characters-xxxxxx'
const isRoot = process.getuid?.() === 0

/**
 * The user that the service runs as, without write access, as in the image. The socket of a temporary
 * PostgreSQL accepts only its own user, which has no privileges either.
 */
function unprivileged(databaseUrl: string): { uid: number; gid: number } | undefined {
  if (!isRoot) return undefined
  const socket = new URL(databaseUrl).searchParams.get('host')
  const { uid, gid } = socket?.startsWith('/') ? statSync(socket) : { uid: 65_534, gid: 65_534 }
  return { uid, gid }
}

/** Runs the image's commands on the output of the image's build steps, without a container engine. */
describe.skipIf(!testEngines().includes('postgresql'))('the assembled service', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-deploy-'))
  const assembled = join(directory, 'srv')
  const secrets = join(directory, 'lanyard.env')
  const networksFile = join(directory, 'networks.json')
  const running: ChildProcess[] = []
  let node: DevnetNode
  let database: TestDatabase
  let user: ReturnType<typeof unprivileged>

  beforeAll(async () => {
    chmodSync(directory, 0o755)
    const made = spawnSync(process.execPath, [join(folder, 'assemble.mjs'), assembled], { encoding: 'utf8' })
    expect(made.status, made.stdout + made.stderr).toBe(0)
    if (!isRoot) spawnSync('chmod', ['-R', 'a-w', assembled])
    node = await startNode()
    await writeNetworksFile(networksFile, [node])
    database = await freshDatabase('postgresql', { migrated: false })
    user = unprivileged(database.url ?? '')
    const { stdout: tokenKey } = spawnSync(process.execPath, [join(folder, 'make-token-key.mjs')], {
      encoding: 'utf8',
    })
    const lines = [`DATABASE_URL=${database.url}`, `TOKEN_KEY='${tokenKey.trim()}'`, `API_KEYS=server:${key}`]
    writeFileSync(secrets, lines.join('\n'))
  })
  afterAll(async () => {
    for (const child of running) {
      if (child.exitCode === null) child.kill('SIGKILL')
    }
    await node?.stop()
    await database?.[Symbol.asyncDispose]()
    if (!isRoot) spawnSync('chmod', ['-R', 'u+w', assembled])
    rmSync(directory, { recursive: true, force: true })
  })

  /** Starts a command as the image would, with the test's own secrets file and ports. */
  function start(command: readonly string[], env: Record<string, string>) {
    const [, ...parameters] = command
    const child = spawn(
      process.execPath,
      parameters.map((one) => one.replace(secretsInImage, secrets)),
      {
        cwd: assembled,
        env: { PATH: process.env.PATH, NETWORKS_FILE: networksFile, MIGRATE_ON_START: 'false', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...user,
      },
    )
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    return { child, ended: once(child, 'exit'), output: () => output }
  }

  /** Runs the image's own HEALTHCHECK on other ports, once the service says that it is ready. */
  async function untilHealthy(
    check: readonly string[],
    ports: Record<string, string>,
    output: () => string,
  ): Promise<void> {
    const [, option = '', text = ''] = check
    const own = Object.entries(ports).reduce((code, [from, to]) => code.replace(from, to), text)
    await expect.poll(output).toMatch(readyLine)
    const isHealthy = async () => {
      const child = spawn(process.execPath, [option, own], { stdio: 'ignore', ...user })
      const [code] = await once(child, 'exit')
      return code
    }
    await expect.poll(isHealthy, { interval: 1_000, message: output() }).toBe(0)
  }

  test('behavior: contains no tests, tools, local chain or types', () => {
    const files = globSync('{apps,packages}/**/*', {
      cwd: assembled,
      exclude: (path) => path.includes('node_modules'),
    })
    expect(files.filter((path) => /\.test\.|\/test\/|\/testing\//.test(path))).toEqual([])
    const store = globSync('*', { cwd: join(assembled, 'node_modules/.pnpm') })
    expect(
      store.filter((name) =>
        /^(typescript|vitest|vite|turbo|@biomejs|playwright|@foundry-rs\+anvil-)/.test(name),
      ),
    ).toEqual([])
    expect(existsSync(join(assembled, 'apps/recovery/dist/recovery.html'))).toBe(true)
    expect(lstatSync(join(assembled, 'apps/api/node_modules/@lanyard/contracts')).isSymbolicLink()).toBe(true)
  })

  test('behavior: lists exactly the packages that it contains, with their digests (CycloneDX)', () => {
    const { bomFormat, components, dependencies } = JSON.parse(
      readFileSync(join(assembled, 'sbom.cdx.json'), 'utf8'),
    )
    expect(bomFormat).toBe('CycloneDX')
    const listed = components.filter(({ group }: { group?: string }) => group !== '@lanyard')
    const names = listed.map(({ group, name, version }: { group?: string; name: string; version: string }) =>
      group ? `${group}/${name}@${version}` : `${name}@${version}`,
    )
    const installed = globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd: assembled })
      .filter((path) => !lstatSync(join(assembled, path, '..')).isSymbolicLink()) // to a package's own folder
      .map((path) => JSON.parse(readFileSync(join(assembled, path), 'utf8')))
      .map(({ name, version }: { name: string; version: string }) => `${name}@${version}`)
    expect(installed.length).toBeGreaterThan(0)
    expect([...new Set(names)].sort()).toEqual([...new Set(installed)].sort())
    for (const { purl, externalReferences } of listed)
      expect(externalReferences?.[0]?.hashes?.[0]?.alg, purl).toBe('SHA-512')
    expect(JSON.stringify(dependencies)).not.toContain('pkg:npm/typescript@')
  })

  test("behavior: rejects a database that is not migrated; compose.yaml's migration migrates it", async () => {
    const { command, env } = readStage('api')
    const rejected = start(command, { ...env, PORT: '0', HOST: '127.0.0.1' })
    expect((await rejected.ended)[0]).toBe(1)
    expect(rejected.output()).toContain('lanyard migrate')

    const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true })
    const migrated = start(compose.services.migrate.command, { ...readStage('worker').env })
    expect((await migrated.ended)[0], migrated.output()).toBe(0)
  })

  test.each(['attestor', 'settler', 'topUp'])(
    'behavior: %s starts with the address of the database as its only secret, and shows its metrics',
    async (ROLES) => {
      const [worker, port] = [readStage('worker'), String(await freePorts(1))]
      const own = join(directory, `${ROLES}.env`)
      writeFileSync(own, `DATABASE_URL=${database.url}\n`, { mode: 0o644 })
      const command = worker.command.map((one) => one.replace(secretsInImage, own))
      const { child, ended, output } = start(command, { ...worker.env, ROLES, METRICS_PORT: port })
      await untilHealthy(worker.check, { 9464: port }, output)
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(text).toMatch(/^lanyard_healthy 1$/m)
      expect(output()).not.toContain('TOKEN_KEY')
      child.kill('SIGTERM')
      expect((await ended)[0]).toBe(0)
    },
  )

  test('behavior: api and worker start without write access, become healthy, and stop on request', async () => {
    const [port, metrics] = [String(await freePorts(1)), String(await freePorts(1))]
    const [api, worker] = [readStage('api'), readStage('worker')]
    const started = [
      start(api.command, { ...api.env, PORT: port, HOST: '127.0.0.1', METRICS_PORT: '0' }),
      start(worker.command, { ...worker.env, METRICS_PORT: metrics }),
    ] as const
    const ports = { 3000: port, 9464: metrics }
    await untilHealthy(api.check, ports, started[0].output)
    await untilHealthy(worker.check, ports, started[1].output)

    const base = `http://127.0.0.1:${port}`
    expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ status: 'ok' })
    expect((await fetch(`${base}/networks`)).status).toBe(401)
    expect((await fetch(`${base}/networks`, { headers: { 'x-api-key': key } })).status).toBe(200)
    for (const page of ['/', '/recovery', '/docs', '/docs/reference']) {
      const { status, headers } = await fetch(base + page, { headers: { accept: 'text/html' } })
      expect([page, status, headers.get('content-type')]).toEqual([page, 200, 'text/html; charset=utf-8'])
    }
    if (isRoot) expect(existsSync(join(assembled, 'apps/api/node_modules/.cache'))).toBe(false)

    for (const { child } of started) child.kill('SIGTERM')
    for (const { ended } of started) expect((await ended)[0]).toBe(0)
  })
})
