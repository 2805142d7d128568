/** @module-tag all */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'

/** A disk of a service's own. */
interface Disk extends AsyncDisposable {
  readonly path: string
  /** From now on the process can write hardly anything more. */
  fill(pid: number | undefined): Promise<void>
  /** There is space again, for whoever starts after. */
  clear(): Promise<void>
}

interface Shortage {
  readonly name: string
  readonly isPossible: boolean
  open(): Promise<Disk>
}

/** Bytes. Of every file of the database's log, the part behind cannot be written. */
const largestFile = 64 * 1024

/** A limit on the size of files fails writes in the kernel, as a full disk does; util-linux sets it for a running process. */
const limitedFiles: Shortage = {
  name: 'files that may not grow',
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

/** A file system in memory, which the superuser may mount. */
const fullDisk: Shortage = {
  name: 'a file system without space',
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

interface Answered {
  readonly status: number
  readonly body: Record<string, string>
}

/** @returns the names that were given, and what was answered in place of the first that was not: nothing if it ended */
async function askUntilRefused(create: () => Promise<Answered>) {
  const given: string[] = []
  for (;;) {
    const answer = await create().catch(() => undefined)
    if (answer?.status !== 200) return { given, refused: answer }
    given.push(String(answer.body.username))
  }
}

async function untilGiven(create: () => Promise<Answered>) {
  while ((await create()).status !== 200) await delay(100)
  return 'goes on'
}

describe.each([limitedFiles, fullDisk])('PGlite on $name', ({ name, isPossible, open }) => {
  test.skipIf(!isPossible)(
    'behavior: who asks hears it, and the service goes on or ends with a reason; with space again, all that was answered is there',
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
      const { given, refused } = await askUntilRefused(create)
      answered.push(...given)
      if (refused) expect(refused).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })

      await disk.clear()
      const outcome = await Promise.race([service.ended, untilGiven(create).catch(() => service.ended)])
      if (outcome === 'goes on') {
        await service.stop()
      } else {
        expect(outcome).toBe(1)
        expect(service.output()).toContain(
          'The database has given up, and the service cannot go on without it',
        )
      }

      await using again = await startServiceProcess(env)
      const rest = restClient(again.url)
      const taken = await Promise.all(
        answered.map(
          async (username) => (await rest.get(`/api/user/check-username?username=${username}`)).body.value,
        ),
      )
      expect(taken).toEqual(answered.map(() => true))
      expect((await rest.get('/health')).body.status).toBe('ok')
      reportFigure(6, `rows acknowledged before there was no space, all found: ${name}`, answered.length)
    },
  )
})
