/** @module-tag all */
import { publishEvents, readEvents, readLastPosition, watchAccount } from '@lanyard/database'
import { canonicalAddresses, devAccounts } from '@lanyard/devnet'
import { devTokenAbi } from '@lanyard/onchain'
import { randomAddress, randomPrivateKey } from '@lanyard/testing'
import { boundedLogs, type RpcProxy, type RpcRule, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { sql } from 'kysely'
import { type Address, encodeFunctionData, erc20Abi, type Hex, multicall3Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getAbiItem } from 'viem/utils'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { receiptOf } from '../receipt-of.ts'
import { type SessionService, startSessionService } from '../session-keys/session-service.ts'
import { createLogWatch } from './log-watch.ts'

const chainId = 31337
const finality = { confirmations: 12 }
const day = 24 * 60 * 60_000

interface LogFilter {
  readonly address?: Address | readonly Address[]
  readonly fromBlock: Hex
  readonly toBlock: Hex
}

/** The chain mines a block for each transaction and when a test requests one. Only the test polls logs. */
let service: SessionService
let proxy: RpcProxy
/** The eth_getLogs filters since the start of the test. */
let filters: LogFilter[] = []
/** Runs when the node receives eth_getLogs, before it answers. */
let beforeAnswer: (filter: LogFilter) => Promise<void> = async () => {}
/** Milliseconds by which the tests have advanced the clock. */
let elapsed = 0
let account: Address

beforeAll(async () => {
  service = await startSessionService({
    chainIds: [chainId],
    blockTime: 3_600,
    settings: { finality },
    environment: { ROLES: 'api' },
  })
  proxy = await startRpcProxy(service.on(chainId).rpcUrl, 0, async (requests) => {
    for (const { method, params } of requests) {
      if (method !== 'eth_getLogs') continue
      const [filter] = params as readonly [LogFilter] // the parameters of eth_getLogs
      filters.push(filter)
      await beforeAnswer(filter)
    }
  })
  account = (await service.createWallet()).address
})
afterEach(() => {
  proxy.set()
  beforeAnswer = async () => {}
})
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const began = Date.now()
/** Stands still unless a test advances it, so that the pace of blocks does not depend on the machine. */
const clock = () => new Date(began + elapsed)

const watch = () => createLogWatch(service, { chainId, rpcUrl: proxy.url, finality, now: clock })

/** Polls once, far enough in the future that a poll is due. */
async function poll(by = watch()): Promise<void> {
  elapsed += 60 * 60_000
  await by.pass()
}

const subscribe = (address: string) =>
  watchAccount(service.database.db, {
    account: address.toLowerCase(),
    until: new Date(clock().getTime() + day),
  })

let position = 0
/** The transfer events since the last call: type, recipient, amount. */
async function takeEvents() {
  const { db } = service.database
  await publishEvents(db, clock())
  const events = await readEvents(db, { after: position, limit: 100_000 })
  position = await readLastPosition(db)
  return events
    .filter(({ type }) => type.startsWith('transfer.'))
    .map(({ type, account, data }) => [type, account, Number(Reflect.get(Object(data), 'amount'))] as const)
}

/** Watches only these accounts. All earlier events are final and reported. */
async function startWatching(accounts: readonly string[] = [account]) {
  const { db } = service.database
  await db.deleteFrom('account_watches').execute()
  for (const one of accounts) await subscribe(one)
  await service.on(chainId).chain.mine({ blocks: 15 })
  await poll()
  await takeEvents()
  filters = []
}

const funder = privateKeyToAccount(devAccounts[3]?.privateKey ?? randomPrivateKey())

const mintCall = (to: Address, units: number) => ({
  to: service.on(chainId).settlementToken.address,
  data: encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [to, BigInt(units)] }),
})

/** Mints in a separate block. */
async function mint(to: Address, units: number): Promise<void> {
  const { chain } = service.on(chainId)
  await receiptOf(
    chain,
    await chain.sendTransaction({ account: funder, chain: null, ...mintCall(to, units) }),
  )
}

/** Inserts unused accounts of the service. */
async function insertAccounts(count: number): Promise<readonly Address[]> {
  const addresses = Array.from({ length: count }, () => randomAddress())
  const list = JSON.stringify(addresses.map((address) => address.toLowerCase()))
  await sql`
    with new_users as (
      insert into users (id, kind, username, username_key, username_skeleton, created_at)
      select gen_random_uuid(), 'eoa', name, name, name, now() from jsonb_array_elements_text(${list}::jsonb) as name returning id
    ), numbered_users as (
      select id, row_number() over () as number from new_users
    )
    insert into accounts (address, user_id, eoa_address, deployment, created_at)
    select address, id, address, '{}', now()
    from jsonb_array_elements_text(${list}::jsonb) with ordinality as given (address, number)
    join numbered_users using (number)`.execute(service.database.db)
  return addresses
}

const received = (to: Address, units: number) => ['transfer.received', to.toLowerCase(), units]

test('behavior: filters name up to 500 accounts; with more, all logs are read and only those of the service are reported', async () => {
  const others = await insertAccounts(500)
  const [first = account, last = account] = [others[0], others.at(-1)]
  await startWatching(others)
  await mint(first, 1)
  await poll()
  expect(await takeEvents()).toEqual([received(first, 1)])
  const named = filters.map(({ address }) => address).filter((address) => Array.isArray(address))
  // 500 accounts and SessionKeys.
  expect(new Set(named.map(({ length }) => length))).toEqual(new Set([501]))

  await startWatching([account, ...others])
  await mint(last, 2)
  await mint('0x00000000000000000000000000000000DeaDBeef', 3)
  await mint(account, 4)
  await poll()
  expect(await takeEvents()).toEqual([received(last, 2), received(account, 4)])
  expect(filters.filter(({ address }) => Array.isArray(address))).toEqual([])
})

test('behavior: a page may hold thousands of logs', { tags: ['long'] }, async () => {
  const { chain } = service.on(chainId)
  // More logs than a statement can have parameters.
  const [count, perTransaction] = [7_500, 750]
  await startWatching()
  const calls = Array.from({ length: perTransaction }, () => {
    const { to: target, data: callData } = mintCall(account, 1)
    return { target, callData, allowFailure: false }
  })
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  for (let sent = 0; sent < count; sent += perTransaction) {
    const request = {
      account: funder,
      chain: null,
      to: canonicalAddresses.multicall3,
      data,
      gas: 25_000_000n,
    }
    expect(await receiptOf(chain, await chain.sendTransaction(request))).toMatchObject({ status: 'success' })
  }
  await poll()
  expect(await takeEvents()).toEqual(Array.from({ length: count }, () => received(account, 1)))
  await chain.mine({ blocks: 13 })
  await poll()
  expect((await takeEvents()).map(([type]) => type)).toEqual(Array(count).fill('transfer.final'))
})

test('behavior: transfers that become final in one page are reported in chain order', async () => {
  const { chain } = service.on(chainId)
  await startWatching()
  const units = Array.from({ length: 8 }, (_, index) => index + 1)
  for (const one of units) await mint(account, one)
  await poll()
  expect(await takeEvents()).toEqual(units.map((one) => received(account, one)))
  await chain.mine({ blocks: 15 })
  await poll()
  expect(await takeEvents()).toEqual(units.map((one) => ['transfer.final', account.toLowerCase(), one]))
})

test('behavior: thousands of blocks are read in pages without a gap and reported in order', {
  tags: ['long'],
}, async () => {
  const { chain } = service.on(chainId)
  await startWatching()
  for (const units of [1, 2, 3]) {
    await chain.mine({ blocks: 1_400 })
    await mint(account, units)
  }
  await poll()
  const messages = await takeEvents()
  expect(messages.filter(([type]) => type === 'transfer.received')).toEqual(
    [1, 2, 3].map((units) => received(account, units)),
  )
  // The third one is not final yet.
  expect(messages.filter(([type]) => type === 'transfer.final')).toHaveLength(2)
  const pages = filters.filter(({ address }) => Array.isArray(address))
  expect(pages.length).toBeGreaterThan(2)
  pages.slice(1).forEach(({ fromBlock }, index) => {
    expect(BigInt(fromBlock)).toBe(BigInt(pages[index]?.toBlock ?? 0) + 1n)
  })
})

/** The error of providers that limit the number of results. */
const tooManyResults = {
  kind: 'error',
  code: -32005,
  message: 'query returned more than 10000 results',
} as const

/**
 * The node applies the rule from now on. Blocks arrive one by one, some with a transfer. A process polls at its own
 * pace.
 */
async function runBlocks(rule: RpcRule, blocks: number, transferEvery: number): Promise<{ refused: number }> {
  const process = watch()
  await poll(process)
  proxy.set(rule)
  filters = []
  proxy.take()
  let [requests, refused, lastPoll] = [0, 0, 0]
  for (let block = 0; block < blocks; block++) {
    if (block % transferEvery === 0) await mint(account, block)
    else await service.on(chainId).chain.mine({ blocks: 1 })
    elapsed += 2_000
    await process.pass().catch((error) => {
      expect(error).toMatchObject({ code: 'NETWORK_FAILED' })
      refused++
    })
    const { requests: more } = proxy.take()
    if (more > 0) lastPoll = more
    requests += more
  }
  // The watch waits after a poll for the requests that it cost, so the last poll does not count.
  expect(requests - lastPoll).toBeLessThanOrEqual(blocks)
  return { refused }
}

test('behavior: a node that rejects wide ranges gets no more requests than it mines blocks', async () => {
  await startWatching()
  expect(await runBlocks(boundedLogs(10n), 300, 20)).toEqual({ refused: 0 })
  await poll()
  expect((await takeEvents()).filter(([type]) => type === 'transfer.received')).toEqual(
    Array.from({ length: 15 }, (_, index) => received(account, index * 20)),
  )
})

test('behavior: a node that rejects every range gets no more requests than it mines blocks, and its transfers are reported later', async () => {
  await startWatching()
  const rejectAll: RpcRule = { methods: ['eth_getLogs'], fault: tooManyResults }
  expect((await runBlocks(rejectAll, 200, 100)).refused).toBeGreaterThan(0)
  proxy.set()
  await poll()
  expect(await takeEvents()).toEqual([
    ...[received(account, 0), received(account, 100)],
    ...[0, 100].map((units) => ['transfer.final', account.toLowerCase(), units]),
  ])
})

/** The transfers to the account on the chain since a block. */
async function transfersSince(fromBlock: bigint) {
  const { chain, settlementToken } = service.on(chainId)
  const event = getAbiItem({ abi: erc20Abi, name: 'Transfer' })
  const logs = await chain.getLogs({
    address: settlementToken.address,
    event,
    args: { to: account },
    fromBlock,
  })
  return logs.map(({ blockHash, args }) => ({ blockHash, amount: String(args.value) }))
}

/** The transfers to the account that the service has recorded since a block. */
async function recordedSince(block: bigint) {
  const rows = await service.database.db
    .selectFrom('account_logs')
    .selectAll()
    .where('block_number', '>=', Number(block))
    .where('account', '=', account.toLowerCase())
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return rows.map(({ block_hash, data }) => ({
    blockHash: block_hash,
    amount: Reflect.get(Object(data), 'amount'),
  }))
}

/** Replaces the last blocks. Each transaction comes with the index of its new block. */
const reorg = (depth: number, transactions: readonly (readonly [object, number])[]) =>
  service.on(chainId).chain.request({ method: 'anvil_reorg', params: [depth, transactions] } as never) // viem does not type it

test.for([
  ['a transfer disappears', []],
  ['a transfer appears in a page that was read', [1]],
  ['a transfer appears in a page that was not read yet', [5]],
  ['transfers appear in several pages', [0, 1, 4, 5]],
] as const)('behavior: a reorg between two pages: %s', async ([, places]) => {
  const { chain } = service.on(chainId)
  await startWatching()
  const since = (await chain.getBlockNumber()) + 1n
  // Six blocks that are not final, with a transfer in the second.
  await chain.mine({ blocks: 1 })
  await mint(account, 1)
  await chain.mine({ blocks: 4 })
  proxy.set(boundedLogs(2n))
  let isDone = false
  beforeAnswer = async ({ fromBlock, toBlock }) => {
    const isLater = BigInt(fromBlock) > since + 1n && BigInt(toBlock) - BigInt(fromBlock) < 2n
    if (isDone || !isLater) return
    isDone = true
    const transactions = places.map(
      (place) => [{ from: funder.address, ...mintCall(account, 2 + place) }, place] as const,
    )
    await reorg(6, transactions)
  }
  await poll()
  expect(isDone).toBe(true)
  // The next poll reverts or completes what a poll in the middle of a reorg reported.
  await chain.mine({ blocks: 1 })
  await poll()
  expect(await recordedSince(since)).toEqual(await transfersSince(since))
  const messages = await takeEvents()
  const sum = messages.reduce(
    (total, [type, , units]) =>
      total + (type === 'transfer.received' ? units : type === 'transfer.reorged' ? -units : 0),
    0,
  )
  expect(sum).toBe(places.reduce<number>((total, place) => total + 2 + place, 0))
  await chain.mine({ blocks: 13 })
  await poll()
  expect((await takeEvents()).filter(([type]) => type === 'transfer.final')).toHaveLength(places.length)
})

test('behavior: the chain gets shorter between two pages', async () => {
  const { chain } = service.on(chainId)
  await startWatching()
  const since = (await chain.getBlockNumber()) + 1n
  await chain.mine({ blocks: 2 })
  await mint(account, 1)
  await mint(account, 2)
  await chain.mine({ blocks: 2 })
  proxy.set(boundedLogs(2n))
  let isDone = false
  beforeAnswer = async ({ fromBlock, toBlock }) => {
    if (isDone || BigInt(fromBlock) <= since || BigInt(toBlock) - BigInt(fromBlock) >= 2n) return
    isDone = true
    await chain.request({ method: 'anvil_rollback', params: [3] } as never) // viem does not type it
  }
  // The node may reject blocks that it no longer has. The next poll is correct in any case.
  await poll().catch((error) => expect(error).toMatchObject({ code: expect.stringMatching(/^NETWORK_/) }))
  expect(isDone).toBe(true)
  await chain.mine({ blocks: 4 })
  await poll()
  expect(await recordedSince(since)).toEqual(await transfersSince(since))
  expect(await transfersSince(since)).toHaveLength(1)
})
