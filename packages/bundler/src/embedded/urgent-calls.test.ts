/** @module-tag all */
// @promise 24 C.2 C.11
import { usualEngine } from '@lanyard/database/testing'
import { createNetworks, type Network } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'
import { type LocalAccount, parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { type Bundler, type BundlerDependencies, createBundler, type SenderEvent } from '../index.ts'

const gwei = (value: number) => parseGwei(String(value))

/** The base fee of each test's first block. */
const baseFee = gwei(10)
const honest = { maxFeePerGas: gwei(100), maxPriorityFeePerGas: gwei(2) }

/** What one test may lose within an hour. */
const lossPerHour = parseEther('0.05')

const cancellationOf = (intent: string) => ({ ...nothing, data: '0x0c', intent, isUrgent: true }) as const

let fixture: Fixture
let network: Network
let relayer: LocalAccount
/** Of each relayer another. */
let cancellation: ReturnType<typeof cancellationOf>
let time: number
let events: SenderEvent[]

beforeAll(async () => {
  fixture = await startFixture(usualEngine(), {}, { blockTime: 1_000, minPriorityFeePerGas: '1' })
  await fixture.stopMining()
})
afterAll(() => fixture[Symbol.asyncDispose]())

beforeEach(async () => {
  await fixture.database.db.updateTable('operations').set({ final: true }).execute()
  relayer = privateKeyToAccount(randomPrivateKey())
  await fixture.chain.setBalance({ address: relayer.address, value: parseEther('100') })
  cancellation = cancellationOf(`cancellation ${relayer.address}`)
  time = Date.now()
  events = []
  await mine(baseFee)
})

/** A process of the service, on a network where the gas of calls of the relayer's own counts. */
function bundlerOf(more: Partial<BundlerDependencies> = {}): Bundler {
  const config = {
    ...fixture.network.config,
    rpcOrigins: ['origin'],
    local: false,
    relayerLossPerHour: String(lossPerHour),
  }
  network = createNetworks([config]).get(fixture.network.chainId)
  return createBundler(network, {
    database: fixture.database.db,
    relayers: [relayer],
    now: () => new Date(time),
    observe: (event) => events.push(event),
    ...more,
    settings: { auditEvery: 0, maxOperationsPerBundle: 1, ...more.settings },
  })
}

/** Mines one block with this base fee, and lets the shared fees become outdated. */
async function mine(baseFeePerGas: bigint) {
  await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await fixture.chain.mine({ blocks: 1 })
  await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await new Promise((resolve) => setTimeout(resolve, 30))
}

async function submit(bundler: Bundler, fees = honest) {
  const operation = await fixture.build(bundler, await fixture.account(), [nothing], fees)
  return await fixture.submit(bundler, operation)
}

const rows = async () =>
  (await fixture.transactions()).filter((row) => row.relayer === relayer.address.toLowerCase())

describe('a cancellation of a recovery', () => {
  test('attack: has a place of its own at a relayer whose places others fill', async () => {
    const bundler = bundlerOf()
    for (let count = 0; count < 6; count++) await submit(bundler)
    await bundler.drive()
    const places = (await rows()).length
    expect(places).toBe(4)
    await bundler.sendOwn?.(cancellation)
    const usual = bundler.sendOwn?.({ ...nothing, data: '0x0d', intent: 'start' })
    await expect(usual).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
    await mine(baseFee)
    await bundler.drive()
    const sent = await rows()
    expect(sent.find(({ intent }) => intent === cancellation.intent)).toMatchObject({
      state: 'mined',
      nonce: 4,
    })
  })

  test('behavior: where a node holds few transactions of an account, one of these places is its own', async () => {
    const bundler = bundlerOf({ settings: { maxInFlight: 2 } })
    for (let count = 0; count < 3; count++) await submit(bundler)
    await bundler.drive()
    expect(await rows()).toHaveLength(2)
    await bundler.sendOwn?.(cancellation)
    expect(await rows()).toHaveLength(3)
  })

  test('attack: is not held up by transactions that the market excludes, although the hour is spent', async () => {
    const bundler = bundlerOf()
    const cheap = { maxFeePerGas: gwei(12), maxPriorityFeePerGas: gwei(1) }
    for (let count = 0; count < 2; count++) await submit(bundler, cheap)
    await bundler.drive()
    await bundler.sendOwn?.(cancellation)
    // What other attacks lost within this hour.
    await fixture.database.db
      .insertInto('relayer_transactions')
      .values({
        ...{ txn_hash: '0xspent', network: network.chainId, relayer: relayer.address.toLowerCase() },
        ...{ nonce: 98, raw: '0x', gas_limit: 1n, max_fee_per_gas: 1n, max_priority_fee_per_gas: 1n },
        ...{ state: 'lost', block_number: null, block_hash: null, sent_at: null, created_at: new Date(time) },
        ...{ loss: lossPerHour },
      })
      .execute()
    for (let block = 0; block < 8; block++) {
      await mine(gwei(50))
      time += 3_000
      await bundler.drive()
    }
    const sent = await rows()
    expect(sent.filter(({ intent }) => intent === cancellation.intent)).toContainEqual(
      expect.objectContaining({ state: 'mined' }),
    )
  })

  test('attack: gets the lease of a relayer that another process never stops using', async () => {
    const maxBundles = 60
    let sent = 0
    let isRequested = false
    let later = 0
    const other = bundlerOf()
    const busy = bundlerOf({
      checkpoint: async (name) => {
        if (name !== 'relayer:sent') return
        sent++
        await mine(baseFee)
        if (isRequested) later++
        if (sent < maxBundles && !isDone) await submit(other)
      },
    })
    let isDone = false
    await submit(other)
    const driving = busy.drive()
    await expect.poll(() => sent).toBeGreaterThan(1)
    isRequested = true
    await other.sendOwn?.(cancellation)
    isDone = true
    await driving
    expect(later).toBeLessThanOrEqual(20)
    await mine(baseFee)
    await other.drive()
    expect((await rows()).find(({ intent }) => intent === cancellation.intent)).toMatchObject({
      state: 'mined',
    })
  })
})
