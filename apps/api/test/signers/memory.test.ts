/** @module-tag long */
// @promise 12
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@lanyard/database'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { type Devnet, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { type FakeSigner, publicKeyOf, startFakeSigner } from '@lanyard/signers/fake-signer'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderChains, payee } from '../orders/order-chains.ts'
import { restClient } from '../rest.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { formsIn, formsOf } from './key-forms.ts'
import { generateKeys, placeOwnRoles } from './own-roles.ts'
import { searchHeapSnapshot, searchMemory, snapshotsInto } from './process-memory.ts'

const [source, output] = [31337, 31338] as const
const amount = 50_000_000n

const keys = generateKeys()
const all: readonly Hex[] = [keys.relayer, keys.operator, ...keys.attestors, keys.settler]

let devnet: Devnet
let signer: FakeSigner
let signatures: Map<Hex, number>
let directory: string
beforeAll(async () => {
  devnet = await placeOwnRoles(await startDevnet({ chainIds: [source, output] }), keys)
  directory = await mkdtemp(join(tmpdir(), 'lanyard-memory-'))
  await writeNetworksFile(join(directory, 'networks.json'), devnet.networks)
  signatures = new Map()
  signer = await startFakeSigner({
    keys: all,
    beforeSigning: ({ publicKey }) => void signatures.set(publicKey, (signatures.get(publicKey) ?? 0) + 1),
  })
})
afterAll(async () => {
  await signer?.close()
  await devnet?.stop()
  await rm(directory, { recursive: true })
})

const inEnvironment = (place: (key: Hex) => string) => ({
  RELAYER_PRIVATE_KEYS: place(keys.relayer),
  OPERATOR_PRIVATE_KEY: place(keys.operator),
  ATTESTOR_PRIVATE_KEYS: keys.attestors.map(place).join(','),
  SETTLER_PRIVATE_KEY: place(keys.settler),
})

/** Starts the service, uses its keys, and searches for them everywhere. */
async function searchAfterUse(
  places: Record<string, string>,
  use: (service: ServiceProcess) => Promise<unknown>,
  used: readonly Hex[],
) {
  const forms = used.flatMap(formsOf)
  const snapshots = await mkdtemp(join(directory, 'snapshots-'))
  await using database = await freshDatabase('postgresql')
  await using service = await startServiceProcess({
    ...places,
    ...snapshotsInto(snapshots),
    NETWORKS_FILE: join(directory, 'networks.json'),
    DATABASE_URL: database.url ?? '',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'trace',
  })
  await use(service)
  const memory = searchMemory(service, forms)
  const heap = await searchHeapSnapshot(service, snapshots, forms)
  await service.stop()
  return {
    heap,
    memory,
    log: formsIn(Buffer.from(service.output()), forms),
    rows: formsIn(Buffer.from(await dumpRows(database.db)), forms),
  }
}

/**
 * Spends from the smart balance: the operator and a relayer sign.
 *
 * @returns the order id
 */
async function spend({ url }: ServiceProcess): Promise<string> {
  const rest = restClient(url)
  const chains = orderChains(devnet)
  const owner = privateKeyToAccount(randomPrivateKey())
  const created = await rest.post('/smart-account/create', { eoaAddress: owner.address })
  const walletAddress: Hex = created.body.wallet.scw_address
  await chains.deposit(source, walletAddress, 2n * amount, { kind: 'eoa', address: owner.address })
  const built = await rest.post('/smart-account/transaction/build', {
    network: String(output),
    walletAddress,
    transactionDetails: [chains.transfer(output, payee, amount)],
    orderData: { amount: String(amount) },
  })
  expect(built).toMatchObject({ status: 200 })
  const signature = await owner.sign({ hash: built.body.messageToSign })
  const submitted = await rest.post('/smart-account/transaction/submit', { walletAddress, signature })
  expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  return built.body.order.orderId
}

/** Spends until the attestors and the settler on the source network have signed too. */
async function spendUntilSettled(service: ServiceProcess): Promise<void> {
  const orderId = await spend(service)
  const rest = restClient(service.url)
  const state = async () => (await rest.get(`/v3/smartbalance/order?orderId=${orderId}`)).body.state
  await expect.poll(state, { interval: 200 }).toBe('SETTLED')
}

/** Every row of every table, including the job queue. */
async function dumpRows(database: Kysely<Database>): Promise<string> {
  const tables = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(
    database,
  )
  expect(tables.rows.length).toBeGreaterThan(10)
  const dumps: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(
      database,
    )
    dumps.push(...rows.map(({ row }) => row))
  }
  return dumps.join('\n')
}

/** The test needs PostgreSQL, as in production: Node 24 cannot write a heap snapshot of a process with PGlite. */
test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: a key at a remote signer is not in the process, its log or its database',
  async () => {
    const atRemoteSigner = { SIGNER_URL: signer.url, ...inEnvironment((key) => `remote:${publicKeyOf(key)}`) }
    const remote = await searchAfterUse(atRemoteSigner, spendUntilSettled, all)
    // Each key signed at least once.
    expect(new Set(signatures.keys())).toEqual(new Set(all.map(publicKeyOf)))
    expect(remote).toMatchObject({ heap: { found: [] }, log: [], rows: [] })
    expect(remote.memory?.found ?? []).toEqual([])

    // The same search finds a key from the environment.
    const inProcess = inEnvironment((key) => key)
    const inline = await searchAfterUse(inProcess, spend, [keys.relayer])
    expect(inline.heap.found).toContain('hex text')
    if (inline.memory) {
      // Each signature leaves two forms. Garbage collection may have overwritten one.
      const { found } = inline.memory
      expect(found).toContain('hex text')
      expect(found.filter((name) => name === '32 bytes' || name === 'a bigint')).not.toEqual([])
    }
    // Even this key does not leave the process.
    expect(inline).toMatchObject({ log: [], rows: [] })

    const megabytes = (bytes = 0) => `${Math.round(bytes / 1e6)} MB`
    reportFigure(12, 'keys at a remote signer, searched for in memory', all.length)
    reportFigure(12, 'heap snapshot searched', megabytes(remote.heap.bytes))
    reportFigure(12, 'memory searched', remote.memory ? megabytes(remote.memory.bytes) : 'not readable here')
  },
)
