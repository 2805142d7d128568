/** @module-tag all */
import { readAccountLedgers, readLedgerNetwork, resetLedger } from '@lanyard/database'
import { createNetworks } from '@lanyard/networks'
import { randomAddress } from '@lanyard/testing'
import { boundedLogs, type RpcProxy, startRpcProxy, withoutMethod } from '@lanyard/testing/fault-proxy'
import { sql } from 'kysely'
import { type Address, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readsByAccount } from '../../src/domain/ledger/watch-ledger.ts'
import { payment, type SessionService, startSessionService } from '../session-keys/session-service.ts'
import { catchUp, createLedgerWatch, entriesOf } from './ledger-fixture.ts'

const chainId = 31337

/** Requests that a provider refuses for their width, from which the service learns its limit. */
const refusals = 16

/** The chain mines a block for each transaction and when a test requests one. Only the tests read the ledger. */
let service: SessionService
let proxy: RpcProxy
/** The requests since they were last taken, by method. */
const sent: string[] = []
/** Runs before the node gets a request. */
let beforeRequest: (method: string) => Promise<void> = async () => {}

beforeAll(async () => {
  service = await startSessionService({
    chainIds: [chainId],
    blockTime: 3_600,
    settings: { finality: { confirmations: 20 }, rpcLogRange: 100 },
    environment: { ROLES: 'api' },
    async startProxy({ rpcUrl }) {
      proxy = await startRpcProxy(rpcUrl, 0, async (requests) => {
        for (const { method } of requests) {
          sent.push(method)
          await beforeRequest(method)
        }
      })
      return proxy
    },
  })
})
afterEach(() => {
  proxy.set()
  beforeRequest = async () => {}
})
afterAll(() => service?.[Symbol.asyncDispose]())

const take = () => sent.splice(0)
const logsOf = (methods: readonly string[]) => methods.filter((method) => method === 'eth_getLogs').length
const mine = (blocks: number) => service.on(chainId).chain.mine({ blocks })
const transfersOf = async (address: Address) =>
  (await service.rest.get(`/wallet/transfers?walletAddress=${address}`)).body.networks[0]
const ledgerOf = async (address: Address) => (await readAccountLedgers(service.database.db, address))[0]

/** An account whose owner has signed something. */
async function createProven() {
  const wallet = await service.createFundedWallet([chainId])
  const { body } = await service.build({
    ...{ network: String(chainId), walletAddress: wallet.address, transactionDetails: [payment(1n)] },
  })
  const answer = await service.approve(wallet, { status: 200, body } as never)
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  return wallet
}

test('behavior: rows that nobody has proven cost no request and no row, however many they are', async () => {
  const { db } = service.database
  const proven = await createProven()
  await mine(25)
  await catchUp(service, chainId, proven.address)
  const unproven = Array.from({ length: 2_500 }, () => randomAddress().toLowerCase())
  const { deployment } = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
  await sql`
    with rows as (select address, gen_random_uuid() as id from unnest(${unproven}::text[]) as address),
    named as (insert into users (id, kind, username, username_key, created_at)
      select id, 'eoa', id::text, id::text, now() from rows)
    insert into accounts (address, user_id, eoa_address, deployment, created_at, confirmed)
    select address, id, address, ${JSON.stringify(deployment)}::jsonb, now(), true from rows`.execute(db)
  const passes = async () => {
    const watch = createLedgerWatch(service, chainId)
    await mine(1)
    take()
    for (let looks = 0; looks < 25; looks++) if (await watch.hasWork()) await watch.pass()
    await watch.pass()
    return logsOf(take())
  }
  expect(await passes()).toBeLessThanOrEqual(2 * 3)
  expect(await db.selectFrom('ledger_accounts').selectAll().execute()).toHaveLength(1)
  // Each look considers 500 rows: the other tests would wait for their accounts.
  const isUnproven = sql<boolean>`address = any(${unproven}::text[])`
  const deleted = await db.deleteFrom('accounts').where(isUnproven).returning('user_id').execute()
  const users = deleted.map(({ user_id }) => user_id)
  await db.deleteFrom('users').where(sql<boolean>`id = any(${users}::uuid[])`).execute()
})

test('default: an account that is proven later has all that it received since its row was written', async () => {
  const wallet = await service.createWallet()
  await mine(30)
  await service.mint(chainId, wallet.address, 2n)
  await mine(230)
  const { chain } = service.on(chainId)
  // Meanwhile, the others were read further.
  await createLedgerWatch(service, chainId).pass()
  await service.mint(chainId, wallet.address, 3n)
  await chain.setBalance({ address: wallet.address, value: parseEther('1') })
  const { body } = await service.build({
    ...{ network: String(chainId), walletAddress: wallet.address, transactionDetails: [payment(1n)] },
  })
  await service.approve(wallet, { status: 200, body } as never)
  expect(await ledgerOf(wallet.address)).toBeUndefined()
  await mine(25)
  await catchUp(service, chainId, wallet.address)
  const entries = await entriesOf(service.database.db, wallet.address)
  expect(entries.filter(({ kind }) => kind === 'transfer_in').map(({ amount }) => amount)).toEqual([2n, 3n])
  expect(await ledgerOf(wallet.address)).toMatchObject({ is_current: true })
})

test('behavior: a pass that fails in the middle is continued, and nothing is written twice', async () => {
  const wallet = await createProven()
  for (let times = 0; times < 4; times++) {
    await service.mint(chainId, wallet.address, 1n)
    await mine(120)
  }
  // The account has a ledger, whose next pass reads several pages.
  await catchUp(service, chainId, wallet.address)
  const headOf = async () => Number((await readLedgerNetwork(service.database.db, chainId))?.block_number)
  const before = await headOf()
  let logs = 0
  beforeRequest = async (method) => {
    if (method === 'eth_getLogs' && ++logs === 8)
      proxy.set({ methods: ['eth_getLogs'], fault: { kind: 'http', status: 503 } })
  }
  for (let times = 0; times < 4; times++) {
    await service.mint(chainId, wallet.address, 1n)
    await mine(120)
  }
  const own = createNetworks([service.service.services.networks.get(chainId).config]).get(chainId)
  const failing = createLedgerWatch(service, chainId, own)
  await expect(failing.pass()).rejects.toThrow()
  beforeRequest = async () => {}
  proxy.set()
  const after = await headOf()
  expect(after).toBeGreaterThan(before)
  expect(after).toBeLessThan(before + 480)
  await Promise.all([catchUp(service, chainId, wallet.address), createLedgerWatch(service, chainId).pass()])
  const entries = await entriesOf(service.database.db, wallet.address)
  expect(entries.filter(({ kind, amount }) => kind === 'transfer_in' && amount === 1n)).toHaveLength(8)
  expect(entries.filter(({ kind }) => kind === 'unexplained')).toEqual([])
})

test('behavior: a transfer is pending until its block is final, and gone if a reorg removes it', async () => {
  const wallet = await createProven()
  await mine(25)
  await catchUp(service, chainId, wallet.address)
  const { chain } = service.on(chainId)
  const snapshot = await chain.snapshot()
  await service.mint(chainId, wallet.address, 11n)
  await createLedgerWatch(service, chainId).pass()
  expect((await transfersOf(wallet.address)).transfers[0]).toMatchObject({ amount: '11', pending: true })
  await chain.revert({ id: snapshot })
  await mine(2)
  expect((await transfersOf(wallet.address)).transfers[0]).not.toMatchObject({ amount: '11' })
  await service.mint(chainId, wallet.address, 12n)
  await mine(25)
  await catchUp(service, chainId, wallet.address)
  expect((await transfersOf(wallet.address)).transfers[0]).toMatchObject({ amount: '12', pending: false })
  const received = (await entriesOf(service.database.db, wallet.address)).map(({ amount }) => amount)
  expect(received).not.toContain(11n)
})

test('behavior: a call makes a bounded number of requests at a provider that takes 10 blocks, and names what it did not read', async () => {
  const wallet = await createProven()
  await service.mint(chainId, wallet.address, 21n)
  await mine(25)
  await catchUp(service, chainId, wallet.address)
  proxy.set(boundedLogs(10n))
  // The service learns the limit of its provider.
  await transfersOf(wallet.address)
  await mine(1_000)
  await service.mint(chainId, wallet.address, 22n)
  take()
  const far = await transfersOf(wallet.address)
  const requests = take()
  expect(logsOf(requests)).toBeLessThanOrEqual(64 + refusals)
  expect(far.transfers.map(({ amount }: { amount: string }) => amount)).toEqual(['22', '21', '100000000'])
  expect(far.unread).toMatchObject({ fromBlock: expect.any(String), toBlock: expect.any(String) })

  proxy.set()
  await catchUp(service, chainId, wallet.address)
  proxy.set(boundedLogs(10n))
  take()
  const near = await transfersOf(wallet.address)
  const few = take()
  expect(logsOf(few)).toBeLessThanOrEqual(8)
  expect(near).toMatchObject({ available: true, unread: null })
  expect(near.transfers.map(({ amount }: { amount: string }) => amount)).toEqual(['22', '21', '100000000'])
})

test('behavior: a ledger that was reset is read again, with the same entries', async () => {
  const wallet = await createProven()
  await mine(25)
  await catchUp(service, chainId, wallet.address)
  const before = await entriesOf(service.database.db, wallet.address)
  const account = wallet.address
  expect(before.map(({ kind }) => kind)).toEqual(['opening', 'transfer_in', 'fee', 'transfer_out'])
  expect(await resetLedger(service.database.db, { network: chainId, account })).toBe(1)
  expect(await entriesOf(service.database.db, wallet.address)).toEqual([])
  await catchUp(service, chainId, wallet.address)
  expect(await entriesOf(service.database.db, wallet.address)).toEqual(before)
})

test('behavior: a node that does not tell balances holds nothing up, and they are compared later', async () => {
  const wallet = await createProven()
  await mine(25)
  proxy.set(withoutMethod('eth_call'))
  const watch = createLedgerWatch(service, chainId)
  await expect
    .poll(async () => {
      // A pass that failed is repeated later.
      service.advance(30_000)
      if (await watch.hasWork()) await watch.pass()
      return (await ledgerOf(wallet.address))?.is_current
    })
    .toBe(true)
  await watch.pass()
  expect(await ledgerOf(wallet.address)).toMatchObject({ reconciled_block: null })
  const known = await entriesOf(service.database.db, wallet.address)
  expect(known.map(({ kind }) => kind)).toEqual(['transfer_in', 'fee', 'transfer_out'])
  proxy.set()
  service.advance(2 * 60 * 60_000)
  await catchUp(service, chainId, wallet.address)
  const [opening] = await entriesOf(service.database.db, wallet.address)
  expect(opening).toMatchObject({ kind: 'opening', amount: parseEther('10') })
})

test('behavior: many accounts are read by one filter only where a provider takes few blocks', () => {
  const config = { ...service.service.services.networks.get(chainId).config, local: false, blockTime: 2_000 }
  const [network] = createNetworks([config]).list()
  const by = (accounts: number, blocksOfRequest: number) =>
    network && readsByAccount(network, { accounts, blocksOfRequest })
  expect([by(1, 10), by(1_000, 10), by(100_000, 10), by(100_000, 2_000)]).toEqual([true, true, false, true])
})

test('behavior: new accounts do not make the blocks of all the others be read more often', async () => {
  const wallet = await createProven()
  const later = await service.createWallet()
  const { chain } = service.on(chainId)
  await chain.mine({ blocks: 60, interval: 1 })
  await catchUp(service, chainId, wallet.address)
  const headOf = async () => (await readLedgerNetwork(service.database.db, chainId))?.block_number
  const head = Number(await headOf())
  await chain.mine({ blocks: 10, interval: 1 })
  await service.database.db
    .updateTable('accounts')
    .set({ signatures: 1 })
    .where('address', '=', later.address.toLowerCase())
    .execute()
  const config = { ...service.service.services.networks.get(chainId).config, local: false, blockTime: 1_000 }
  const watch = createLedgerWatch(service, chainId, createNetworks([config]).get(chainId))
  expect(await watch.hasWork()).toBe(true)
  await watch.pass()
  expect(await ledgerOf(later.address)).toMatchObject({ network: chainId })
  expect(await headOf()).toBe(head)
  await chain.mine({ blocks: 60, interval: 1 })
  await watch.pass()
  expect(await headOf()).toBe(head + 70)
})

test('behavior: an account whose first blocks the provider does not have keeps no other from its ledger', async () => {
  const [old, recent] = [await createProven(), await createProven()].toSorted((a, b) =>
    a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1,
  )
  const { chain } = service.on(chainId)
  await chain.mine({ blocks: 200, interval: 60 })
  const head = await chain.getBlock()
  const createdAt = { [old?.address ?? '']: 1n, [recent?.address ?? '']: head.timestamp }
  for (const [address, seconds] of Object.entries(createdAt))
    await service.database.db
      .updateTable('accounts')
      .set({ created_at: new Date(Number(seconds) * 1_000) })
      .where('address', '=', address.toLowerCase())
      .execute()
  const isPruned = ({ params: [block] = [] }: { readonly params?: readonly unknown[] }) =>
    typeof block === 'string' && block.startsWith('0x') && BigInt(block) < head.number - 100n
  proxy.set({
    methods: ['eth_getBlockByNumber'],
    fault: { kind: 'lie', change: (block, request) => (isPruned(request) ? null : block) },
  })
  const watch = createLedgerWatch(service, chainId)
  expect(await watch.hasWork()).toBe(true)
  await expect(watch.pass()).rejects.toThrow()
  expect(await ledgerOf(recent?.address ?? '0x')).toMatchObject({ network: chainId })
  expect(await ledgerOf(old?.address ?? '0x')).toBeUndefined()
})
