import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { reportFigure } from '@lanyard/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'

/** Bytes. Of every file of the database's log, the part behind cannot be written. */
const limit = 64 * 1024

/** A limit on the size of files fails writes in the kernel, as a full disk does; util-linux sets it for a running process. */
function limitFiles(pid: number | undefined, bytes: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
}

function canLimitFiles(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(!canLimitFiles())(
  'behavior: when PGlite cannot write, who asks hears it and the service ends with a reason; with space again, all that was answered is there',
  { timeout: 120_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const devnet = stack.use(await startDevnet({ chainIds: [31337] }))
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-disk-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const NETWORKS_FILE = join(directory, 'networks.json')
    await writeNetworksFile(NETWORKS_FILE, devnet.networks)
    const env = { NETWORKS_FILE, DATA_DIR: join(directory, 'data'), RATE_LIMITS: 'off' }
    const service = stack.use(await startServiceProcess(env))
    const create = () =>
      restClient(service.url).post('/smart-account/create', {
        eoaAddress: privateKeyToAccount(generatePrivateKey()).address,
      })

    const answered: string[] = []
    for (let count = 0; count < 20; count++) answered.push((await create()).body.username)
    limitFiles(service.child.pid, limit)
    const refused = await create().catch(() => 'ended')
    if (refused !== 'ended') {
      expect(refused).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })
    }
    expect(await service.ended).toBe(1)
    expect(service.output()).toContain('The database has given up, and the service cannot go on without it')

    await using again = await startServiceProcess(env)
    const rest = restClient(again.url)
    const taken = await Promise.all(
      answered.map(
        async (username) => (await rest.get(`/api/user/check-username?username=${username}`)).body.value,
      ),
    )
    expect(taken).toEqual(answered.map(() => true))
    expect((await rest.get('/health')).body.status).toBe('ok')
    reportFigure(6, 'rows acknowledged before the disk was full, all found', answered.length)
  },
)
