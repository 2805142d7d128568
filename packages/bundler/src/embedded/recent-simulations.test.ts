// @promise 24
import { describeEachEngine } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type Hex, numberToHex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'
import { createRecentSimulations, type RecentSimulations } from './recent-simulations.ts'

describeEachEngine('the simulation of a delivery, when the bundle is sent', (engine) => {
  let fixture: Fixture
  let proxy: RpcProxy
  let bundler: Bundler
  let account: FixtureAccount
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl)
      return { rpcUrls: [proxy.url] }
    })
  })
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    bundler = fixture.bundler()
    account = await oldAccount()
    vi.useFakeTimers({ toFake: ['performance'] }) // the machine's speed does not count
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A deployed account whose operations are of long ago. */
  async function oldAccount(): Promise<FixtureAccount> {
    const old = await fixture.account()
    const hash = await fixture.submit(bundler, await fixture.build(bundler, old, [nothing]))
    await drive()
    await change(hash, { final: true, signed_at: new Date(Date.now() - 3_601_000) })
    return old
  }

  const change = (hash: Hex, values: { final?: boolean; signed_at?: Date; signature?: Hex }) =>
    fixture.database.db.updateTable('operations').set(values).where('user_op_hash', '=', hash).execute()

  async function drive(by = bundler) {
    await by.drive()
    await fixture.noticeInclusion()
  }

  const submit = async (options = {}) =>
    await fixture.submit(bundler, await fixture.build(bundler, account, [nothing], options))

  /** Number of simulations and reads of senders in a pass. */
  async function callsOfPass(by = bundler) {
    proxy.take()
    await drive(by)
    return proxy.take().calls
  }

  const drain = () => fixture.chain.setBalance({ address: account.address, value: 0n })

  async function expectNotSent(hash: Hex) {
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: 'INSUFFICIENT_FUNDS' })
    expect(await fixture.transactions()).not.toContainEqual(expect.objectContaining({ state: 'lost' }))
    await change(hash, { final: true })
  }

  test('default: a lone operation is simulated once', async () => {
    const hash = await submit()
    expect(await callsOfPass()).toBe(0)
    expect(await fixture.events(hash)).toMatchObject([{ args: { success: true } }])
  })

  test('behavior: another process simulates before it sends', async () => {
    const hash = await submit()
    await drain()
    expect(await callsOfPass(fixture.bundler())).toBeGreaterThan(0)
    await expectNotSent(hash)
  })

  test('behavior: a simulation of long ago does not count', async () => {
    const hash = await submit()
    vi.advanceTimersByTime(50)
    await drain()
    expect(await callsOfPass()).toBeGreaterThan(0)
    await expectNotSent(hash)
  })

  test('behavior: an account with another operation within an hour is simulated again', async () => {
    await submit()
    await drive()
    await submit()
    expect(await callsOfPass()).toBeGreaterThan(0)
  })

  test('behavior: an account with an older operation that is not included is simulated again', async () => {
    const other = await submit({ nonceKey: 1n })
    await change(other, { signed_at: new Date(Date.now() - 3_601_000) })
    await fixture.database.db
      .updateTable('operations')
      .set({ next_attempt_at: new Date(Date.now() + 60_000) })
      .where('user_op_hash', '=', other)
      .execute()
    await submit()
    expect(await callsOfPass()).toBeGreaterThan(0)
    await change(other, { final: true })
  })

  test('behavior: another signature of the operation is simulated', async () => {
    const operation = await fixture.build(bundler, account, [nothing])
    const hash = await fixture.submit(bundler, operation)
    await change(hash, { signature: `${operation.signature.slice(0, -2)}1e` as Hex })
    expect(await callsOfPass()).toBeGreaterThan(0)
    expect(await fixture.events(hash)).toEqual([])
    await change(hash, { final: true })
  })

  test('behavior: operations that share a bundle are simulated together', async () => {
    const first = account
    const second = await oldAccount()
    const hashes: Hex[] = []
    for (account of [first, second]) hashes.push(await submit())
    expect(await callsOfPass()).toBeGreaterThan(0)
    for (const hash of hashes) expect(await fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: an operation that deploys its account is simulated again', async () => {
    account = await fixture.account()
    await submit()
    expect(await callsOfPass()).toBeGreaterThan(0)
  })

  test('behavior: an account that changes in these milliseconds owes the gas, as if it had changed before the block', async () => {
    let later = 0
    bundler = fixture.bundler({ now: () => new Date(Date.now() + later) })
    const hash = await submit()
    await drain()
    expect(await callsOfPass()).toBe(0)
    later = 2_000
    await drive()
    expect(await fixture.events(hash)).toEqual([])
    const losses = await fixture.database.db
      .selectFrom('relayer_losses')
      .select(['account', 'owed'])
      .where('user_op_hash', '=', hash)
      .execute()
    expect(losses).toEqual([{ account: account.address.toLowerCase(), owed: expect.any(BigInt) }])
    await change(hash, { final: true })
  })
})

describe('take', () => {
  const [relayer, hash] = [randomAddress(), pad('0x1')]
  const waiting = {
    hash,
    operation: { signature: '0x1234' as Hex },
    ...{ isOnlyOne: true, reverts: 0, failures: 0, owed: 0n },
  }
  const passed = () => {
    const simulations = createRecentSimulations()
    simulations.remember(hash, '0x1234', { relayer, at: performance.now() })
    return simulations
  }

  test('default: the answer is given once, so that what waits again is simulated', () => {
    const simulations = passed()
    expect(simulations.take(waiting, relayer)).toBe(true)
    expect(simulations.take(waiting, relayer)).toBe(false)
  })

  test.each<Partial<Parameters<RecentSimulations['take']>[0]>>([
    { isOnlyOne: false },
    { reverts: 1 },
    { failures: 1 },
    { owed: 1n },
    { hash: pad('0x2') },
    { operation: { signature: '0x1235' } },
  ])('behavior: false for an operation with %o', (different) => {
    expect(passed().take({ ...waiting, ...different }, relayer)).toBe(false)
  })

  test('behavior: false for another relayer, and for a replacement', () => {
    expect(passed().take(waiting, randomAddress())).toBe(false)
    const { hash, operation } = waiting
    expect(passed().take({ hash, operation }, relayer)).toBe(false)
  })

  test('behavior: only the latest are remembered', () => {
    const simulations = passed()
    const at = performance.now()
    for (let index = 2; index < 258; index++) simulations.remember(numberToHex(index), '0x', { relayer, at })
    expect(simulations.take(waiting, relayer)).toBe(false)
  })
})
