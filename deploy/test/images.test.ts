/** @module-tag long */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { createLanyardClient, send } from '@lanyard/client'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { devAccounts, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { startBalancer } from '@lanyard/testing/balancer'
import { startPostgresProxy } from '@lanyard/testing/fault-proxy'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createImageStorage, type Image, startInImage, whyNoImages } from './image-storage.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const compose = parse(read('compose.yaml'), { merge: true })

/** Maximum bytes that the service may add to its base. */
const maxLayer = 120e6

const key = 'a-secret-of-32-characters-xxxxxx'
const signer = privateKeyToAccount(devAccounts[0]?.privateKey ?? '0x')

const why = whyNoImages() ?? (testEngines().includes('postgresql') ? undefined : 'this run has no PostgreSQL')

describe.skipIf(why !== undefined)(`the images${why === undefined ? '' : ` (not built: ${why})`}`, () => {
  const stack = new AsyncDisposableStack()
  const processes = new Set<ChildProcess>()
  let directory: string
  let storage: ReturnType<typeof createImageStorage>
  let api: Image
  let worker: Image
  let files: Record<string, string>

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lanyard-images-'))
    storage = createImageStorage(directory)
    const timed = <T>(what: string, work: () => T): T => {
      const began = performance.now()
      const result = work()
      console.log(`${what}: ${Math.round((performance.now() - began) / 1000)} s`)
      return result
    }
    timed('base', storage.makeBase)
    timed('runtime', storage.buildRuntime)
    api = timed('api', () => storage.build('api'))
    worker = timed('worker', () => storage.build('worker'))

    const { networks } = stack.use(await startDevnet({ chainIds: [31337] }))
    await writeNetworksFile(join(directory, 'networks.json'), networks)
    const database = stack.use(await freshDatabase('postgresql', { migrated: false }))
    // The image's user cannot access the socket of a temporary PostgreSQL.
    const { databaseUrl } = stack.use(await startPostgresProxy(database.url ?? ''))
    const tokenKey = execFileSync(process.execPath, [join(folder, 'make-token-key.mjs')], {
      encoding: 'utf8',
    })
    const secrets = {
      DATABASE_URL: databaseUrl,
      TOKEN_KEY: `'${tokenKey.trim()}'`,
      API_KEYS: `server:${key}`,
    }
    const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(join(directory, 'secrets.env'), lines.join(''))
    files = {
      '/run/secrets/lanyard.env': join(directory, 'secrets.env'),
      '/etc/lanyard/networks.json': join(directory, 'networks.json'),
    }
  }, 1_800_000)
  afterAll(async () => {
    for (const child of processes) child.kill('SIGKILL')
    await stack.disposeAsync()
    rmSync(directory, { recursive: true })
  })

  type Options = Omit<Parameters<typeof startInImage>[1], 'files'>

  function start(image: Image, { command, env }: Options = {}) {
    const child = startInImage(image, {
      ...(command && { command }),
      // all values are present
      env: { ...parseEnv(read('lanyard.env.example')), ...env } as Record<string, string>,
      files,
    })
    processes.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    const ended = once(child, 'exit').then(([code]) => {
      processes.delete(child)
      return code as number | null
    })
    return { child, ended, output: () => output }
  }

  const run = async (image: Image, command: readonly string[]) => {
    const { ended, output } = start(image, { command })
    return { code: await ended, output: output() }
  }

  /** Starts a process of an image, and waits until the image's own health check passes. */
  async function startHealthy(image: Image, shipped: string, ports: Record<string, string>) {
    const began = performance.now()
    // Here they share one network, so only the worker can have the port of the image for its metrics.
    const process = start(image, { env: { METRICS_PORT: '0', ...ports } })
    const [port = ''] = Object.values(ports)
    const command = image.config.Healthcheck.Test.slice(1).map((text) => text.replace(shipped, port))
    while ((await start(image, { command }).ended) !== 0) {
      if (process.child.exitCode !== null) expect.fail(process.output())
    }
    return { ...process, milliseconds: Math.round(performance.now() - began) }
  }

  test('behavior: contains no package manager, tests or compiler; the service adds at most 120 MB', async () => {
    for (const image of [api, worker]) {
      const programs = ['npm', 'npx', 'pnpm', 'yarn', 'corepack', 'apt', 'apt-get', 'dpkg', 'tsc']
      const found = `for name in ${programs.join(' ')}; do command -v $name; done`
      expect((await run(image, ['sh', '-c', found])).output).toBe('')
      const files = globSync('**/*', { cwd: join(image.root, 'srv/lanyard') })
      expect(files.length).toBeGreaterThan(1_000)
      expect(
        files.filter((path) => /\.test\.\w+$|\.pnpm\/(typescript|vitest|@foundry-rs\+anvil-)/.test(path)),
      ).toEqual([])
      console.log(`above the base: ${(image.layerBytes / 1e6).toFixed(1)} MB`)
      expect(image.layerBytes).toBeLessThanOrEqual(maxLayer)
    }
  })

  test('behavior: its user is not root, has no capabilities, and can write only to /tmp', async () => {
    for (const image of [api, worker]) {
      expect(image.config.User).toBe('1000')
      const { output } = await run(image, ['cat', '/proc/self/status'])
      expect(output).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
      expect(output).toMatch(/^CapEff:\t0+$/m)
      expect(output).toMatch(/^CapBnd:\t0+$/m)
      expect(output).toMatch(/^NoNewPrivs:\t1$/m)
      const writable = await run(image, ['sh', '-c', 'find / -xdev -writable ! -type l 2>/dev/null; true'])
      expect(writable.output).toBe('/tmp\n')
      const rejected = await run(image, ['sh', '-c', 'touch /tmp/here && touch /srv/lanyard/here'])
      expect(rejected.output).toContain('Read-only file system')
    }
  })

  test('behavior: compose.yaml migrates; api and worker become healthy; a first transaction works; replicas are replaced one by one during transactions', async () => {
    const migrated = start(worker, { command: compose.services.migrate.command })
    expect(await migrated.ended, migrated.output()).toBe(0)

    const ports = [await freePort(), await freePort(), await freePort()] as const
    const startApi = (PORT: string) => startHealthy(api, '3000', { PORT, HOST: '127.0.0.1' })
    const startWorker = () => startHealthy(worker, '9464', { METRICS_PORT: ports[2] })
    const apis = [await startApi(ports[0]), await startApi(ports[1])]
    const working = await startWorker()
    console.log(`healthy after: api ${apis[0]?.milliseconds} ms, worker ${working.milliseconds} ms`)

    const urls = ports.slice(0, 2).map((port) => `http://127.0.0.1:${port}`)
    const balancer = stack.use(await startBalancer(urls))
    const client = createLanyardClient({
      baseUrl: balancer.url,
      apiKey: key,
      fetch: (input, init) => {
        const request = new Request(input, init)
        request.headers.set('idempotency-key', randomUUID())
        return fetch(request)
      },
    })
    const { wallet } = await client.smartAccount.create({ eoaAddress: signer.address })
    const network = '31337'
    await client.wallet.faucet({ walletAddress: wallet.scw_address, network })
    const transactionDetails = [
      { targetContractAddress: devAccounts[1]?.address ?? '0x', value: '1', encodedData: '0x' },
    ]
    const request = { network, walletAddress: wallet.scw_address, transactionDetails }
    expect(await send(client, { request, signer })).toMatchObject({ success: true })

    let goesOn = true
    let sent = 0
    const going = (async () => {
      for (; goesOn; sent++) expect(await send(client, { request, signer })).toMatchObject({ success: true })
    })()
    const rolled = (async () => {
      for (const [index, replica] of [...apis, working].entries()) {
        replica.child.kill('SIGTERM')
        expect(await replica.ended, replica.output()).toBe(0)
        const port = ports[index] ?? ''
        await (replica === working ? startWorker() : startApi(port))
        const before = sent
        while (sent < before + 2) await Promise.race([delay(50), going])
      }
    })().finally(() => {
      goesOn = false
    })
    await Promise.all([rolled, going])
    console.log(`${sent} transactions during the rolling restart, behind ${balancer.name}`)
    for (const child of processes) child.kill('SIGTERM')
  })

  test('behavior: built twice from nothing, they are the same, byte for byte', () => {
    const base = join(directory, 'base.tar')
    storage.saveBase(base)
    const program = join(folder, 'build-images.mjs')
    const output = execFileSync(
      process.execPath,
      [program, '--twice', `--base=${base}`, join(directory, 'archives')],
      { encoding: 'utf8' },
    )
    expect(output).toContain('Built twice from nothing, they are the same, byte for byte.')
  })

  test('behavior: contains the pages', () => {
    for (const page of ['wallet/dist/index.html', 'recovery/dist/recovery.html', 'docs/dist/index.html']) {
      expect(existsSync(join(api.root, 'srv/lanyard/apps', page)), page).toBe(true)
    }
  })
})

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return String(typeof address === 'object' && address ? address.port : 0)
}
