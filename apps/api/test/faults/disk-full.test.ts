/** @module-tag all */
/** @module-tag longer */
// @promise 6
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { isLong, randomPrivateKey, reportFigure } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

/** A disk that only one service uses. */
interface Disk extends AsyncDisposable {
  readonly path: string
  /** From now on, the process can write almost nothing. */
  fill(pid: number | undefined): Promise<void>
  /** Frees space for a service that starts afterwards. */
  clear(): Promise<void>
}

interface Shortage {
  readonly name: string
  readonly isPossible: boolean
  open(): Promise<Disk>
}

/** Maximum file size in bytes. The part of a log file of the database beyond it cannot be written. */
const largestFile = 64 * 1024

/**
 * A file size limit makes writes fail in the kernel, as a full disk does. util-linux sets it for a running process.
 */
const limitedFiles: Shortage = {
  name: 'a file size limit',
  isPossible: canRun('prlimit', '--version'),
  async open() {
    const path = await mkdtemp(join(tmpdir(), 'lanyard-disk-'))
    return {
      path,
      async fill(pid) {
        execFileSync('prlimit', ['--pid', String(pid), `--fsize=${largestFile}:unlimited`])
      },
      clear: async () => {}, // the limit ends with the process
      [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
    }
  },
}

/** An in-memory file system, which only root can mount. */
const fullDisk: Shortage = {
  name: 'a full file system',
  isPossible: process.getuid?.() === 0 && canMount(),
  async open() {
    const path = await mkdtemp(join(tmpdir(), 'lanyard-disk-'))
    mount(path)
    const filler = join(path, 'filler')
    return {
      path,
      async fill() {
        const { bavail, bsize } = await statfs(path)
        await writeFile(filler, Buffer.alloc(bavail * bsize))
      },
      clear: () => rm(filler),
      async [Symbol.asyncDispose]() {
        execFileSync('umount', [path])
        await rm(path, { recursive: true })
      },
    }
  },
}

function mount(path: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', path], { stdio: 'pipe' })
}

function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'lanyard-mount-'))
  try {
    mount(path)
    execFileSync('umount', [path])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(path)
  }
}

function canRun(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

interface Answer {
  readonly status: number
  readonly body: Record<string, string>
}

/**
 * @returns the created usernames, and the answer to the first request that failed (absent if the service exited)
 */
async function createUntilRejected(create: () => Promise<Answer>) {
  const created: string[] = []
  for (;;) {
    const answer = await create().catch(() => undefined)
    if (answer?.status !== 200) return { created, refused: answer }
    created.push(String(answer.body.username))
  }
}

async function untilCreated(create: () => Promise<Answer>) {
  while ((await create()).status !== 200) await delay(100)
  return 'recovered'
}

/** `npm run test:all` uses the most realistic one that the machine allows, `npm run test:long` both. */
const shortages = isLong
  ? [limitedFiles, fullDisk]
  : [[fullDisk, limitedFiles].find(({ isPossible }) => isPossible) ?? limitedFiles]

describe.each(shortages)('PGlite with $name', ({ name, isPossible, open }) => {
  test.skipIf(!isPossible)(
    'behavior: callers get an error, the service recovers or exits with a reason, and every acknowledged row is there once space is free again',
    async () => {
      await using stack = new AsyncDisposableStack()
      const devnet = stack.use(await startDevnet({ chainIds: [31337] }))
      const disk = stack.use(await open())
      const NETWORKS_FILE = join(disk.path, 'networks.json')
      await writeNetworksFile(NETWORKS_FILE, devnet.networks)
      const env = { NETWORKS_FILE, DATA_DIR: join(disk.path, 'data'), RATE_LIMITS: 'off' }
      const service = stack.use(await startServiceProcess(env))
      const create = () =>
        restClient(service.url).post('/smart-account/create', {
          eoaAddress: privateKeyToAccount(randomPrivateKey()).address,
        })

      const answered: string[] = []
      for (let count = 0; count < 20; count++) answered.push((await create()).body.username)
      await disk.fill(service.child.pid)
      const { created, refused } = await createUntilRejected(create)
      answered.push(...created)
      if (refused) expect(refused).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })

      await disk.clear()
      const outcome = await Promise.race([service.ended, untilCreated(create).catch(() => service.ended)])
      if (outcome === 'recovered') {
        await service.stop()
      } else {
        expect(outcome).toBe(1)
        expect(service.output()).toContain(
          'The database has failed, and the service cannot continue without it',
        )
      }

      await using again = await startConfigured(env)
      const rest = restClient(again.url)
      const existing = await Promise.all(
        answered.map(
          async (username) => (await rest.get(`/api/user/check-username?username=${username}`)).body.value,
        ),
      )
      expect(existing).toEqual(answered.map(() => true))
      expect((await rest.get('/health')).body.status).toBe('ok')
      reportFigure(6, `rows acknowledged before the disk was full, all found: ${name}`, answered.length)
    },
  )
})
