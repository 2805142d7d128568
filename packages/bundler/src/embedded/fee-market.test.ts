/** @module-tag all */
// @promise 24 C.2 C.9
import { usualEngine } from '@lanyard/database/testing'
import { createNetworks, gasPriceOracle, type Network } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'
import { type RpcProxy, type RpcRule, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type Hex, type LocalAccount, numberToHex, parseEther, parseGwei, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, nothing, type OperationOptions, startFixture } from '../../test/fixture.ts'
import { oracleByteCode } from '../../test/l1-fakes.ts'
import { type Bundler, createBundler, type RelayerSettings, type SenderEvent } from '../index.ts'
import type { Lease } from '../sender/lease.ts'
import { lossLeft } from '../sender/loss-left.ts'

const gwei = (value: number) => parseGwei(String(value))

/** The base fee of each test's first block. */
const baseFee = gwei(10)

/** What an honest owner signs at that base fee. */
const honest = { maxFeePerGas: gwei(100), maxPriorityFeePerGas: gwei(2) }

const resources = new AsyncDisposableStack()
let fixture: Fixture
let proxy: RpcProxy
let network: Network
let relayer: LocalAccount
let time: number
let events: SenderEvent[]

beforeAll(async () => {
  fixture = resources.use(
    await startFixture(usualEngine(), {}, async (rpcUrl) => {
      proxy = resources.use(await startRpcProxy(rpcUrl))
      return {
        rpcUrls: [proxy.url],
        blockTime: 1_000,
        minPriorityFeePerGas: '1',
        // The limit of one test; the others spend less.
        relayerLossPerHour: String(parseEther('0.05')),
        l1Fee: { kind: 'op-stack' },
      }
    }),
  )
  await fixture.stopMining()
  await fixture.chain.setCode({ address: gasPriceOracle, bytecode: oracleByteCode(0n) })
})
afterAll(() => resources.disposeAsync())

beforeEach(async () => {
  proxy.set()
  await fixture.database.db.updateTable('operations').set({ final: true }).execute()
  relayer = await newRelayer()
  time = Date.now()
  events = []
  await mine(baseFee)
})

async function newRelayer(funds = parseEther('100')): Promise<LocalAccount> {
  const account = privateKeyToAccount(randomPrivateKey())
  await fixture.chain.setBalance({ address: account.address, value: funds })
  return account
}

const bundlerNetwork = () => createNetworks([fixture.network.config]).get(fixture.network.chainId)

/** A service that has just started: it has learned nothing about the network. */
function bundlerOf(relayers: readonly LocalAccount[], settings: Partial<RelayerSettings> = {}): Bundler {
  network = bundlerNetwork()
  return createBundler(network, {
    database: fixture.database.db,
    relayers,
    settings,
    now: () => new Date(time),
    observe: (event) => events.push(event),
  })
}

/** Mines one block with this base fee, and lets the shared fees become outdated. */
async function mine(baseFeePerGas: bigint) {
  await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await fixture.chain.mine({ blocks: 1 })
  // The next block's base fee follows from this one.
  await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await new Promise((resolve) => setTimeout(resolve, 30))
}

async function submit(bundler: Bundler, options: OperationOptions = honest, calls = [nothing]) {
  const account = await fixture.account()
  const operation = await fixture.build(bundler, account, calls, options)
  return { account, operation, hash: await fixture.submit(bundler, operation) }
}

const isIncluded = async ({ hash }: { hash: Hex }) => (await fixture.events(hash)).length === 1

const rows = async (of: LocalAccount = relayer) =>
  (await fixture.transactions()).filter((row) => row.relayer === of.address.toLowerCase())

/** A node that answers `eth_sendRawTransaction` with these words when the transaction is one of those. */
const rejecting = (
  message: string,
  when: (transaction: ReturnType<typeof parseTransaction>) => boolean,
): RpcRule => ({
  methods: ['eth_sendRawTransaction'],
  fault: {
    kind: 'refuse',
    code: -32000,
    message,
    when: ({ params: [raw] = [] }) => when(parseTransaction(raw as Hex)), // the method's parameter
  },
})

/** Whether the fees of a bundle go to this relayer. */
const pays = (data: Hex, { address }: LocalAccount) => data.includes(address.slice(2).toLowerCase())

/** Nodes say this before they look at the fees; anvil looks at the fees first. */
const alreadyKnown = ({ nonce: known, max_fee_per_gas: cap }: { nonce: number; max_fee_per_gas: bigint }) =>
  rejecting('already known', ({ nonce = 0, maxFeePerGas }) => nonce === known && maxFeePerGas === cap)

describe('a cheap operation', () => {
  test('behavior: does not hold up others when the base fee doubles', async () => {
    const bundler = bundlerOf([relayer])
    const cheap = await submit(bundler, { maxFeePerGas: gwei(12), maxPriorityFeePerGas: 1n })
    const others = await Promise.all(Array.from({ length: 5 }, () => submit(bundler)))
    await bundler.drive()
    await mine(2n * baseFee)
    for (const one of others) expect(await isIncluded(one)).toBe(true)
    expect(await isIncluded(cheap)).toBe(false)
  })

  test('behavior: at an earlier nonce, its transaction is replaced by those that pay', async () => {
    const bundler = bundlerOf([relayer])
    const cheap = await submit(bundler, { maxFeePerGas: gwei(12), maxPriorityFeePerGas: 1n })
    await bundler.drive()
    await mine(2n * baseFee)
    const others = await Promise.all(Array.from({ length: 3 }, () => submit(bundler)))
    await bundler.drive()
    await mine(2n * baseFee)
    for (const one of others) expect(await isIncluded(one)).toBe(true)
    expect((await rows()).map(({ nonce }) => nonce)).toEqual([0, 0])
    expect(events).toMatchObject([
      { kind: 'sent', reason: 'new', nonce: 0, sender: relayer.address },
      { kind: 'replaced', reason: 'fees', nonce: 0, sender: relayer.address, loss: 0n },
    ])
    await mine(baseFee)
    await bundler.drive()
    await mine(baseFee)
    expect(await isIncluded(cheap)).toBe(true)
  })
})

describe('a node with a least tip', () => {
  test.each([
    ['transaction gas price below minimum: gas tip cap 0, minimum needed 1000000000', gwei(1)],
    ['transaction underpriced: tip needed 1000000000, tip permitted 0', gwei(1)],
    ['transaction underpriced', 3n],
    ['FeeTooLow, MaxFeePerGas too low', 3n],
  ])('args: %s', async (words, learned) => {
    const bundler = bundlerOf([relayer])
    const cheap = await submit(bundler, { maxFeePerGas: gwei(100), maxPriorityFeePerGas: 1n })
    const others = await Promise.all(Array.from({ length: 5 }, () => submit(bundler)))
    proxy.set(
      rejecting(words, ({ maxPriorityFeePerGas = 0n }) => maxPriorityFeePerGas < 1_000n),
      { methods: ['eth_maxPriorityFeePerGas'], fault: { kind: 'error', code: -32601, message: 'no method' } },
    )
    await bundler.drive()
    await mine(baseFee)
    for (const one of others) expect(await isIncluded(one)).toBe(true)
    expect(await fixture.row(cheap.hash)).toMatchObject({ state: 'submitted', reason_code: 'FEE_TOO_LOW' })
    const live = (await rows()).filter(({ state }) => state === 'live')
    for (const { txn_hash } of live) {
      await expect(fixture.chain.getTransactionReceipt({ hash: txn_hash as Hex })).resolves.toBeDefined()
    }
    expect((await network.fees()).minTip).toBeGreaterThanOrEqual(learned)
    expect(events.filter(({ kind }) => kind === 'refused')).toMatchObject([{ reason: 'tip-too-low' }])
  })
})

test('behavior: if a node that refuses a tip does not name another one, its suggestion is the least', async () => {
  const bundler = bundlerOf([relayer])
  const one = await submit(bundler)
  const least = gwei(1.9)
  proxy.set(
    rejecting('transaction underpriced', ({ maxPriorityFeePerGas = 0n }) => maxPriorityFeePerGas < least),
    { methods: ['eth_maxPriorityFeePerGas'], fault: { kind: 'lie', change: () => numberToHex(least) } },
  )
  await bundler.drive()
  await mine(baseFee)
  expect((await network.fees()).minTip).toBe(least)
  expect(await isIncluded(one)).toBe(true)
})

describe('a stuck transaction', () => {
  test('behavior: is replaced at the relayer’s cost when its tips leave no room', async () => {
    const bundler = bundlerOf([relayer])
    const tight = await submit(bundler, { maxFeePerGas: gwei(12), maxPriorityFeePerGas: gwei(0.5) })
    await bundler.drive()
    proxy.set(...(await rows()).map(alreadyKnown))
    await mine(2n * baseFee)
    await bundler.drive() // seen waiting
    time += 46_000
    await bundler.drive()
    const [, filler] = await rows()
    expect(events.at(-1)).toMatchObject({
      ...{ kind: 'emptied', reason: 'fees', sender: relayer.address, nonce: 0, age: 46_000 },
      ...{ hash: filler?.txn_hash, loss: filler?.loss },
      fees: { maxFeePerGas: filler?.max_fee_per_gas, maxPriorityFeePerGas: filler?.max_priority_fee_per_gas },
    })
    await mine(2n * baseFee)
    expect(await fixture.chain.getTransactionCount({ address: relayer.address })).toBe(1)
    await mine(baseFee)
    await bundler.drive() // the operation is queued again
    await mine(baseFee)
    expect(await isIncluded(tight)).toBe(true)
    const loss = (await rows()).reduce((sum, row) => sum + BigInt(row.loss), 0n)
    expect(loss).toBeGreaterThan(0n)
    expect(loss).toBeLessThanOrEqual(parseEther('0.05'))
  })

  test('behavior: a bundle with an outdated cap is replaced as soon as the base fee rises', async () => {
    const bundler = bundlerOf([relayer])
    const one = await submit(bundler, { maxFeePerGas: gwei(1_750), maxPriorityFeePerGas: gwei(2) })
    await bundler.drive()
    const [first] = await rows()
    expect(first?.max_fee_per_gas).toBeLessThan(gwei(30))
    await mine(gwei(300))
    await bundler.drive()
    await mine(gwei(300))
    expect(await isIncluded(one)).toBe(true)
  })

  test('behavior: waits at the hourly limit, and says so', async () => {
    const bundler = bundlerOf([relayer])
    const tight = await submit(bundler, { maxFeePerGas: gwei(12), maxPriorityFeePerGas: gwei(0.5) })
    await bundler.drive()
    proxy.set(...(await rows()).map(alreadyKnown))
    await mine(gwei(2_000)) // an empty transaction costs 0.08 ether at most
    await bundler.drive()
    time += 46_000
    await bundler.drive()
    expect(events.at(-1)).toMatchObject({ kind: 'over-limit', nonce: 0 })
    expect(await rows()).toHaveLength(1)
    proxy.set()
    await mine(baseFee)
    time += 16_000 // anvil has dropped it
    for (let block = 0; block < 3; block++) {
      await bundler.drive()
      await mine(baseFee)
    }
    expect(await isIncluded(tight)).toBe(true)
  })

  test('attack: empty transactions for a gap and replacements share one hourly limit, and wait above it', async () => {
    const bundler = bundlerOf([relayer], { maxOperationsPerBundle: 1 })
    const all = await Promise.all(Array.from({ length: 4 }, () => submit(bundler)))
    await bundler.drive()
    const sent = await rows()
    expect(sent.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3])
    for (const { txn_hash } of sent.slice(0, 3)) {
      await fixture.chain.dropTransaction({ hash: txn_hash as Hex })
    }
    const isFirst = (maxFeePerGas = 0n) => maxFeePerGas < gwei(100)
    proxy.set(
      ...sent.slice(3).map(alreadyKnown),
      rejecting('max fee per gas less than block base fee', ({ maxFeePerGas }) => isFirst(maxFeePerGas)),
    )
    await mine(gwei(470)) // an empty transaction costs 0.02 ether at most
    time += 16_000
    const limit = parseEther('0.05')
    const gaps = () => events.filter(({ reason }) => reason === 'gap')
    const lossOf = async () => (await rows()).reduce((sum, row) => sum + BigInt(row.loss), 0n)
    for (let pass = 0; pass < 3; pass++) {
      await bundler.drive()
      expect(await lossOf()).toBeLessThanOrEqual(limit)
    }
    expect(gaps().filter(({ kind }) => kind === 'sent')).toMatchObject([{ nonce: 0 }, { nonce: 1 }])
    expect(gaps().at(-1)).toMatchObject({ kind: 'over-limit', nonce: 2 })
    await mine(gwei(470))
    expect(await fixture.chain.getTransactionCount({ address: relayer.address })).toBe(2)
    await bundler.drive()
    expect(await lossOf()).toBeLessThanOrEqual(limit)
    expect(gaps().at(-1)).toMatchObject({ kind: 'over-limit', nonce: 2 })
    // An operation that pays uses the nonce.
    proxy.set()
    await mine(baseFee)
    time += 16_000 // anvil has dropped the last one
    for (let block = 0; block < 3; block++) {
      await bundler.drive()
      await mine(baseFee)
    }
    for (const one of all) expect(await isIncluded(one)).toBe(true)
    expect(gaps().filter(({ kind }) => kind === 'sent')).toHaveLength(2)
  })

  test('behavior: that the node drops and does not take again is lost: its operation uses its nonce at once', async () => {
    const bundler = bundlerOf([relayer])
    const one = await submit(bundler)
    await bundler.drive()
    const [first] = await rows()
    const cap = first?.max_fee_per_gas ?? 0n
    await fixture.chain.dropTransaction({ hash: first?.txn_hash as Hex })
    proxy.set(
      rejecting('max fee per gas less than block base fee', ({ maxFeePerGas = 0n }) => maxFeePerGas <= cap),
    )
    await mine(gwei(40))
    time += 16_000
    await bundler.drive()
    const dropped = { nonce: 0, hash: first?.txn_hash, age: 16_000 }
    expect(events).toContainEqual(
      expect.objectContaining({ ...dropped, kind: 'resent', reason: 'forgotten' }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ ...dropped, kind: 'lost', reason: 'cap-too-low' }),
    )
    expect((await rows()).map(({ nonce, state }) => ({ nonce, state }))).toEqual([
      { nonce: 0, state: 'lost' },
      { nonce: 0, state: 'live' },
    ])
    await mine(gwei(40))
    expect(await isIncluded(one)).toBe(true)
    expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0 })
  })

  test.each([
    ['busy', 'txpool is full', false],
    ['in words that nobody knows, and holds it', 'no', false],
    ['in words that nobody knows, and has dropped it', 'no', true],
  ])(
    'behavior: sent again to a node that answers %s: lost only if that is clear',
    async (_, words, isDropped) => {
      const bundler = bundlerOf([relayer])
      const one = await submit(bundler)
      await bundler.drive()
      const [first] = await rows()
      if (isDropped) await fixture.chain.dropTransaction({ hash: first?.txn_hash as Hex })
      proxy.set(rejecting(words, () => true))
      time += 16_000
      await bundler.drive()
      const lost = events.filter(({ kind }) => kind === 'lost')
      expect(lost).toHaveLength(isDropped ? 1 : 0)
      const states = (await rows()).filter(({ state }) => state === 'live')
      expect(states).toHaveLength(isDropped ? 0 : 1)
      proxy.set()
      await mine(baseFee)
      time += 16_000
      for (let block = 0; block < 3; block++) {
        await bundler.drive()
        await mine(baseFee)
      }
      expect(await isIncluded(one)).toBe(true)
    },
  )

  test('behavior: the owner’s operation with the same nonce and higher fees replaces it', async () => {
    const bundler = bundlerOf([relayer])
    const fees = { maxFeePerGas: gwei(12), maxPriorityFeePerGas: gwei(0.5) }
    const { account, hash } = await submit(bundler, fees)
    await bundler.drive()
    const bump = await fixture.build(bundler, account, [{ ...nothing, value: 1n }], {
      ...honest,
      nonce: 0n,
    })
    const bumped = await fixture.submit(bundler, bump)
    await bundler.drive()
    expect(events.at(-1)).toMatchObject({ kind: 'replaced', reason: 'owner', nonce: 0 })
    await mine(2n * baseFee)
    expect(await isIncluded({ hash: bumped })).toBe(true)
    expect(await isIncluded({ hash })).toBe(false)
    expect(await rows()).toHaveLength(2)
  })
})

/** On a network where the gas of calls of the relayer’s own counts. */
function payingBundler(rpcUrls = fixture.network.config.rpcUrls): Bundler {
  const rpcOrigins = rpcUrls.map((_, index) => `origin-${index}`)
  const config = { ...fixture.network.config, rpcUrls, rpcOrigins, local: false }
  network = createNetworks([config]).get(fixture.network.chainId)
  return createBundler(network, {
    database: fixture.database.db,
    relayers: [relayer],
    settings: { auditEvery: 0 },
    now: () => new Date(time),
    observe: (event) => events.push(event),
  })
}

const ownContext = () => ({
  ...{ database: fixture.database.db, network, now: () => new Date(time) },
  lossPerHour: BigInt(network.config.relayerLossPerHour),
})

/** What another process of the service has paid for calls of its own. */
const fillDay = (intent: string, loss: bigint) =>
  fixture.database.db
    .insertInto('relayer_transactions')
    .values({
      ...{ txn_hash: `0x${intent}`, network: network.chainId, relayer: relayer.address.toLowerCase() },
      ...{ nonce: 98, raw: '0x', gas_limit: 1n, max_fee_per_gas: 1n, max_priority_fee_per_gas: 1n },
      ...{ state: 'lost', block_number: null, block_hash: null, sent_at: null, created_at: new Date(time) },
      ...{ loss, intent },
    })
    .execute()

test('attack: calls of the relayer’s own take from the hourly limit, and leave half of it for stuck transactions', async () => {
  const bundler = payingBundler()
  await mine(gwei(400)) // the call costs 0.02 ether at most
  await bundler.sendOwn?.({ ...nothing, intent: 'first' })
  const another = { ...nothing, intent: 'second' }
  time += 3_590_000
  await expect(bundler.sendOwn?.(another)).rejects.toMatchObject({ code: 'BUNDLER_UNAVAILABLE' })
  expect(events).toMatchObject([
    { kind: 'sent', reason: 'own', nonce: 0 },
    { kind: 'resent', nonce: 0, age: 3_590_000 },
    { kind: 'over-limit', reason: 'own', nonce: 1 },
  ])
  const [row, ...others] = await rows()
  expect(others).toEqual([])
  expect(row?.loss).toBeGreaterThan(parseEther('0.02'))
  expect(row?.loss).toBeLessThanOrEqual(parseEther('0.025'))
  time += 10_001
  await mine(gwei(400))
  await bundler.sendOwn?.({ ...nothing, intent: 'third' })
  expect(await rows()).toHaveLength(2)
})

test('behavior: an urgent call may use three quarters of the limits of a day', async () => {
  const bundler = payingBundler()
  await mine(gwei(280)) // between a quarter and three eighths of the limit
  await bundler.sendOwn?.({ ...nothing, intent: 'change' })
  const rejected = { code: 'BUNDLER_UNAVAILABLE' }
  await expect(bundler.sendOwn?.({ ...nothing, intent: 'another' })).rejects.toMatchObject(rejected)
  await bundler.sendOwn?.({ ...nothing, intent: 'cancellation', isUrgent: true })
  await bundler.sendOwn?.({ ...nothing, intent: 'another cancellation', isUrgent: true })
  await mine(gwei(280))
  // Cancellations never use up what replaces stuck transactions.
  await fillDay('urgent', parseEther('0.9'))
  await expect(bundler.sendOwn?.({ ...nothing, intent: 'a third', isUrgent: true })).rejects.toMatchObject(
    rejected,
  )
  expect(await lossLeft(ownContext(), { relayer: relayer.address } as Lease, 99)).toBe(parseEther('0.0125'))
})

test('behavior: a call counts with its limit while it waits, and with its cost once it is mined', async () => {
  const bundler = payingBundler()
  await mine(gwei(280))
  await bundler.sendOwn?.({ ...nothing, intent: 'held' })
  const next = { ...nothing, intent: 'next' }
  await expect(bundler.sendOwn?.(next)).rejects.toMatchObject({ code: 'BUNDLER_UNAVAILABLE' })
  await mine(gwei(280))
  await bundler.drive()
  expect((await rows())[0]?.spent).toBeGreaterThan(0n)
  await bundler.sendOwn?.(next)
  expect(await rows()).toHaveLength(2)
})

test('attack: what only one of two origins calls cheap counts with its limit', async () => {
  await using liar = await startRpcProxy(fixture.network.config.rpcUrls[0] as string)
  const bundler = payingBundler([proxy.url, liar.url])
  liar.set({
    methods: ['eth_getTransactionReceipt'],
    fault: { kind: 'lie', change: (receipt) => ({ ...(receipt as object), effectiveGasPrice: '0x1' }) },
  })
  await mine(gwei(280))
  await bundler.sendOwn?.({ ...nothing, intent: 'a lie' })
  await mine(gwei(280))
  await bundler.drive()
  const next = { ...nothing, intent: 'after a lie' }
  await expect(bundler.sendOwn?.(next)).rejects.toMatchObject({ code: 'BUNDLER_UNAVAILABLE' })
  liar.set()
  await bundler.drive()
  await bundler.sendOwn?.(next)
})

test('behavior: a call that costs more than its part of an hour uses the parts of several', async () => {
  const bundler = payingBundler()
  await mine(gwei(1_000)) // more than the limit, less than two
  const rejected = { code: 'BUNDLER_UNAVAILABLE' }
  await bundler.sendOwn?.({ ...nothing, intent: 'deployment' })
  await expect(bundler.sendOwn?.({ ...nothing, intent: 'another' })).rejects.toMatchObject(rejected)
  const later = { ...nothing, intent: 'an hour later' }
  time += 3_600_001
  await expect(bundler.sendOwn?.(later)).rejects.toMatchObject(rejected)
  time += 4 * 3_600_000
  await bundler.sendOwn?.(later)
  // The next call does not wait for a day: half of the limit is there each hour.
  expect(await rows()).toHaveLength(2)
  await mine(gwei(4_500))
  time += 86_400_000
  // It costs more than the parts of a day.
  const large = { ...nothing, data: `0x${'11'.repeat(4_000)}`, intent: 'too much' } as const
  await expect(bundler.sendOwn?.(large)).rejects.toMatchObject(rejected)
})

describe('a call of the relayer’s own that the market excludes', () => {
  test.each([true, false])('behavior: is sent again at higher fees (urgent: %s)', async (isUrgent) => {
    const bundler = payingBundler()
    const call = { ...nothing, data: '0x0c', intent: `raised-${isUrgent}`, isUrgent } as const
    await bundler.sendOwn?.(call)
    await mine(3n * baseFee)
    await bundler.drive()
    expect(events.at(-1)).toMatchObject({ kind: 'replaced', reason: 'fees', nonce: 0 })
    expect(await bundler.sendOwn?.(call)).toBe('waiting')
    await mine(3n * baseFee)
    await bundler.drive()
    const byFee = (await rows()).toSorted((a, b) => Number(a.max_fee_per_gas - b.max_fee_per_gas))
    expect(byFee).toMatchObject([
      { state: 'lost', intent: call.intent },
      { state: 'mined', intent: call.intent, urgent: isUrgent, nonce: 0 },
    ])
  })

  test('behavior: an urgent one goes where another one waits', async () => {
    const bundler = payingBundler()
    await bundler.sendOwn?.({ ...nothing, intent: 'cheap' })
    const cancellation = { ...nothing, data: '0x0d', intent: 'cheap cancellation', isUrgent: true } as const
    await bundler.sendOwn?.(cancellation)
    await fillDay('spent', parseEther('0.1'))
    await mine(gwei(4_500))
    await bundler.drive()
    expect(events).toContainEqual(expect.objectContaining({ kind: 'over-limit', nonce: 0 }))
    expect(events).toContainEqual(expect.objectContaining({ kind: 'replaced', reason: 'fees', nonce: 1 }))
    expect((await rows()).filter(({ intent }) => intent === cancellation.intent)).toHaveLength(2)
  })

  test('behavior: is emptied if it would have no effect any more', async () => {
    const bundler = payingBundler()
    const { address } = await newRelayer()
    await bundler.sendOwn?.({ to: address, data: '0x', intent: 'reverts' })
    await fixture.chain.setCode({ address, bytecode: '0x5f5ffd' })
    // The first drive sees it wait.
    await bundler.drive()
    time += 60_000
    await bundler.drive()
    expect(events.at(-1)).toMatchObject({ kind: 'emptied', nonce: 0 })
  })
})

test.each([
  ['relayer:row-written', 'at-row-written'],
  ['relayer:sent', 'at-sent'],
] as const)(
  'behavior: a call of a process that died at %s is not sent a second time',
  async (step, intent) => {
    const other = await newRelayer()
    const dying = createBundler(bundlerNetwork(), {
      database: fixture.database.db,
      relayers: [relayer],
      now: () => new Date(time),
      checkpoint(reached) {
        if (reached === step) throw new Error('simulated crash')
      },
    })
    await expect(dying.sendOwn?.({ ...nothing, data: '0x0a', intent })).rejects.toThrow('simulated crash')
    const next = bundlerOf([other, relayer])
    // The call may have other bytes now: another guardian may have signed since.
    const send = () => next.sendOwn?.({ ...nothing, data: '0x0b', intent })
    // Its lease has expired. However long it waits to be mined, it is the only one.
    for (const wait of [6_000, 301_000]) {
      time += wait
      await send()
    }
    await next.drive()
    await mine(baseFee)
    await next.drive()
    await send()
    expect(await rows()).toMatchObject([{ nonce: 0, state: 'mined' }])
    expect(await rows(other)).toEqual([])
    // Much later it had no effect: it is sent again, as another call always is.
    await next.sendOwn?.({ ...nothing, intent: `${intent}-other` })
    await fixture.chain.mine({ blocks: 301 })
    await send()
    expect((await rows(other)).map(({ intent: sent }) => sent)).toEqual([`${intent}-other`, intent])
  },
)

test('behavior: of the same call, processes with different relayers send one', async () => {
  const other = await newRelayer()
  const call = { ...nothing, intent: 'concurrent' }
  await Promise.all([bundlerOf([relayer]), bundlerOf([other])].map((bundler) => bundler.sendOwn?.(call)))
  expect([...(await rows()), ...(await rows(other))]).toHaveLength(1)
})

test('behavior: a call of a relayer that is no longer configured does not block another one', async () => {
  const intent = 'retired'
  await bundlerOf([relayer]).sendOwn?.({ ...nothing, intent })
  const other = await newRelayer()
  const next = bundlerOf([other])
  const [sent] = await rows()
  await fixture.chain.dropTransaction({ hash: sent?.txn_hash as Hex })
  proxy.set(rejecting('txpool is full', ({ nonce }) => nonce === 0))
  for (let minute = 0; minute < 5; minute++) {
    await next.drive()
    time += 60_000
  }
  proxy.set()
  expect(await rows()).toMatchObject([{ state: 'lost' }])
  await next.sendOwn?.({ ...nothing, intent })
  expect(await rows(other)).toMatchObject([{ state: 'live' }])
})

test('attack: the hourly limit counts what a rollup charges for the data of an own call', async () => {
  const bundler = payingBundler()
  const data = `0x${'11'.repeat(100)}` as const
  const perByte = parseEther('0.00004') // 0.004 ether for the data, without the rest of the transaction
  await fixture.chain.setCode({ address: gasPriceOracle, bytecode: oracleByteCode(perByte) })
  await using _oracle = {
    [Symbol.asyncDispose]: () =>
      fixture.chain.setCode({ address: gasPriceOracle, bytecode: oracleByteCode(0n) }),
  }
  const call = (last: string) => ({ ...nothing, data: `${data}${last}` as Hex, intent: `data-${last}` })
  await bundler.sendOwn?.(call('01'))
  const [row] = await rows()
  expect(row?.loss).toBeGreaterThan(100n * perByte + (row?.gas_limit ?? 0n) * (row?.max_fee_per_gas ?? 0n))
  await bundler.sendOwn?.(call('02'))
  await expect(bundler.sendOwn?.(call('03'))).rejects.toMatchObject({ code: 'BUNDLER_UNAVAILABLE' })
  expect(events.at(-1)).toMatchObject({ kind: 'over-limit', reason: 'own' })
})

describe('relayers', () => {
  test('behavior: what one without funds cannot send, another takes in the same pass', async () => {
    const poor = await newRelayer(1n)
    const bundler = bundlerOf([poor, relayer])
    const one = await submit(bundler)
    await bundler.drive()
    await mine(baseFee)
    expect(await isIncluded(one)).toBe(true)
    expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0 })
  })

  test.each(['txpool is full', 'max fee per gas less than block base fee'])(
    'behavior: what a node does not take from one (%s), another sends in the same pass',
    async (words) => {
      const refused = await newRelayer()
      const bundler = bundlerOf([refused, relayer])
      const one = await submit(bundler)
      proxy.set(rejecting(words, ({ data = '0x' }) => pays(data, refused)))
      await bundler.drive()
      await mine(baseFee)
      expect(events).toMatchObject([
        { kind: 'sent', sender: refused.address },
        { kind: 'refused', sender: refused.address },
        { kind: 'sent', sender: relayer.address },
      ])
      expect(await isIncluded(one)).toBe(true)
      expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0, reason_code: null })
    },
  )

  test('behavior: lack of funds is named only if none has enough', async () => {
    const poor = await newRelayer(1n)
    const bundler = bundlerOf([relayer, poor])
    const one = await submit(bundler)
    proxy.set(rejecting('txpool is full', ({ data = '0x' }) => pays(data, relayer)))
    await bundler.drive()
    expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0, reason_code: null })
    await fixture.chain.setBalance({ address: relayer.address, value: 1n })
    time += 1_001 // the balance is read again
    await bundler.drive()
    expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0, reason_code: 'BUNDLER_UNAVAILABLE' })
  })

  test('behavior: one operation that is too large for its funds does not stop the others', async () => {
    const modest = await newRelayer(baseFee * 3_000_000n)
    const bundler = bundlerOf([modest])
    const large = await submit(bundler, { ...honest, callGasLimit: 9_000_000n })
    const small = await Promise.all(Array.from({ length: 3 }, () => submit(bundler)))
    for (let block = 0; block < 3; block++) {
      await bundler.drive()
      await mine(baseFee)
    }
    for (const one of small) expect(await isIncluded(one)).toBe(true)
    expect(await fixture.row(large.hash)).toMatchObject({
      state: 'submitted',
      attempts: 0,
      reason_code: 'BUNDLER_UNAVAILABLE',
    })
  })

  test.each([
    'insufficient funds for gas * price + value',
    "Sender doesn't have enough funds to send tx. The max upfront cost is: 2 and the sender's balance is: 1.",
  ])('behavior: if the node wants more funds, a smaller bundle goes: %s', async (words) => {
    const bundler = bundlerOf([relayer])
    const all = await Promise.all(Array.from({ length: 4 }, () => submit(bundler)))
    const limit = parseEther('0.02')
    proxy.set(rejecting(words, ({ gas = 0n, maxFeePerGas = 0n }) => gas * maxFeePerGas > limit))
    for (let block = 0; block < 4; block++) {
      await bundler.drive()
      await mine(baseFee)
    }
    for (const one of all) {
      expect(await isIncluded(one)).toBe(true)
      expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0 })
    }
  })

  test('behavior: a node that holds no later nonces gets one transaction at a time', async () => {
    const bundler = bundlerOf([relayer], { maxOperationsPerBundle: 1 })
    const all = await Promise.all(Array.from({ length: 3 }, () => submit(bundler)))
    for (let block = 0; block < 4; block++) {
      const next = await fixture.chain.getTransactionCount({ address: relayer.address })
      proxy.set(rejecting(`nonce too high: tx: 1 state: ${next}`, ({ nonce = 0 }) => nonce > next))
      await bundler.drive()
      await mine(baseFee)
    }
    for (const one of all) {
      expect(await isIncluded(one)).toBe(true)
      expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0 })
    }
    expect(events.filter(({ kind }) => kind === 'refused')).toMatchObject([{ reason: 'nonce-too-high' }])
  })
})

test('behavior: a refused bundle is halved until the culprit is alone', async () => {
  const bundler = bundlerOf([relayer])
  const all = await Promise.all(Array.from({ length: 7 }, () => submit(bundler)))
  const culprit = await submit(bundler, honest, [{ ...nothing, data: '0xbadbadbadbad' }])
  proxy.set(rejecting('blocked by policy', ({ data = '0x' }) => data.includes('badbadbadbad')))
  await bundler.drive()
  await mine(baseFee)
  await bundler.drive()
  await mine(baseFee)
  for (const one of all) {
    expect(await isIncluded(one)).toBe(true)
    expect(await fixture.row(one.hash)).toMatchObject({ attempts: 0 })
  }
  expect(await fixture.row(culprit.hash)).toMatchObject({
    attempts: 1,
    reason_code: 'BUNDLER_UNAVAILABLE',
  })
  expect(events.filter(({ kind }) => kind === 'refused')).toHaveLength(4) // of 8, 4, 2 and 1
})

test('behavior: an operation that no longer pays for its L1 data is not sent at the relayer’s cost', async () => {
  const bundler = bundlerOf([relayer])
  const one = await submit(bundler)
  await fixture.chain.setCode({
    address: gasPriceOracle,
    bytecode: oracleByteCode(honest.maxFeePerGas * 50n),
  })
  await bundler.drive()
  expect(await rows()).toEqual([])
  expect(await fixture.row(one.hash)).toMatchObject({ reason_code: 'FEE_TOO_LOW' })
  await fixture.chain.setCode({ address: gasPriceOracle, bytecode: oracleByteCode(0n) })
  time += 61_000
  await bundler.drive()
  await mine(baseFee)
  expect(await isIncluded(one)).toBe(true)
})

// Last: blocks with higher tips raise what the next bundles offer.
test.each([
  ['its tip is', { maxFeePerGas: gwei(100), maxPriorityFeePerGas: 1n }, 1n],
  ['what its cap leaves for the tip is', { maxFeePerGas: gwei(12), maxPriorityFeePerGas: gwei(3) }, gwei(3)],
] as const)(
  'behavior: a transaction is replaced as soon as %s less than a node wants',
  async (_, fees, known) => {
    const bundler = bundlerOf([relayer])
    network.learnLeastTip(known, 'named')
    await submit(bundler, fees)
    await bundler.drive()
    network.learnLeastTip(gwei(3), 'named')
    const dear = await submit(bundler, { maxFeePerGas: gwei(100), maxPriorityFeePerGas: gwei(5) })
    time += 1_001 // the relayer's transactions are looked at again
    await bundler.drive()
    expect(events).toMatchObject([
      { kind: 'sent', nonce: 0, fees: { maxPriorityFeePerGas: fees.maxPriorityFeePerGas } },
      { kind: 'replaced', reason: 'fees', nonce: 0 },
    ])
    await mine(baseFee)
    expect(await isIncluded(dear)).toBe(true)
  },
)

describe('a cheap operation in a steady market', () => {
  /** Blocks are full, so those with a tip of less than 2 gwei wait. */
  const busy: RpcRule = {
    methods: ['eth_feeHistory'],
    fault: {
      kind: 'lie',
      change: (history) => ({
        ...(history as object),
        reward: Array.from({ length: 8 }, () => [numberToHex(gwei(2))]),
      }),
    },
  }

  test.each([
    ['tip', { maxFeePerGas: gwei(100), maxPriorityFeePerGas: 1n }],
    ['tip and cap', { maxFeePerGas: gwei(12), maxPriorityFeePerGas: 1n }],
  ])('attack: with the lowest %s, the next one that pays takes its nonce at once', async (_, fees) => {
    proxy.set(busy)
    const bundler = bundlerOf([relayer])
    await submit(bundler, fees)
    await bundler.drive()
    const paying = await submit(bundler)
    await bundler.drive()
    expect((await rows()).map(({ nonce }) => nonce)).toEqual([0, 0])
    expect(events.at(-1)).toMatchObject({ kind: 'replaced', reason: 'fees', nonce: 0, loss: 0n })
    await mine(baseFee)
    expect(await isIncluded(paying)).toBe(true)
  })

  test('attack: many at earlier nonces delay none that pays', async () => {
    proxy.set(busy)
    const bundler = bundlerOf([relayer])
    for (let count = 0; count < 4; count++) {
      await submit(bundler, { maxFeePerGas: gwei(100), maxPriorityFeePerGas: 1n })
      await bundler.drive()
    }
    expect((await rows()).map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3])
    for (const nonce of [0, 1]) {
      const paying = await submit(bundler)
      await bundler.drive()
      const [row] = await fixture.database.db
        .selectFrom('relayer_transaction_operations as link')
        .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
        .select('tx.nonce')
        .where('link.user_op_hash', '=', paying.hash)
        .execute()
      expect(row).toEqual({ nonce })
    }
  })

  test('behavior: without others, it is sent once and stays', async () => {
    proxy.set(busy)
    const bundler = bundlerOf([relayer])
    await submit(bundler, { maxFeePerGas: gwei(100), maxPriorityFeePerGas: 1n })
    for (let pass = 0; pass < 3; pass++) await bundler.drive()
    expect(await rows()).toHaveLength(1)
  })
})
