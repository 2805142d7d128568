/** @module-tag all */
import { readDelegation } from '@lanyard/accounts'
import { describeOneEngine } from '@lanyard/database/testing'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type Address, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

/** The relayer's only RPC forges nonces for a time. Afterwards every operation is included once, at a bounded cost. */
describeOneEngine('an RPC that forges nonces', (engine) => {
  let fixture: Fixture
  let proxy: RpcProxy
  let bundler: Bundler
  let time: number
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl)
      return { rpcUrls: [proxy.url], accountKinds: ['safe', 'eip7702'] }
    })
  })
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    time = Date.now()
    bundler = fixture.bundler({ now: () => new Date(time) })
  })
  afterEach(() => proxy.set())

  /** What the RPC says of one account's nonce. */
  const forge = (address: Address, change: (nonce: number) => number) =>
    proxy.set({
      methods: ['eth_getTransactionCount'],
      fault: {
        kind: 'lie',
        change: (result, { params: [of] = [] }) =>
          String(of).toLowerCase() === address.toLowerCase() ? numberToHex(change(Number(result))) : result,
      },
    })

  async function drive(passes: number) {
    for (let pass = 0; pass < passes; pass++) {
      await bundler.drive()
      await fixture.noticeInclusion()
      time += 16_000
    }
  }

  const submit = async () =>
    fixture.submit(bundler, await fixture.build(bundler, await fixture.account(), [nothing]))
  const nonceOfRelayer = () => fixture.chain.getTransactionCount({ address: fixture.relayer.address })

  test.each([
    ['a little too high', (nonce: number) => nonce + 3],
    ['far too high', (nonce: number) => nonce + 1_000_000],
    ['too low', () => 0],
  ])('behavior: the relayer’s own, %s', async (_, change) => {
    const before = [await submit(), await submit()]
    await drive(2)
    forge(fixture.relayer.address, change)
    const during = await submit()
    await drive(3)
    proxy.set()
    const after = await submit()
    const nonce = await nonceOfRelayer()
    await drive(6)
    for (const hash of [...before, during, after]) {
      expect(await fixture.events(hash), hash).toMatchObject([{ args: { success: true } }])
    }
    // Gaps are filled at the relayer's cost: not more than it may have in flight.
    expect((await nonceOfRelayer()) - nonce).toBeLessThanOrEqual(8)
    const rows = await fixture.transactions()
    expect(rows.filter(({ state }) => state === 'live')).toEqual([])
  })

  test('behavior: an EOA’s own, from the build until delivery: nothing is sent until it is true, at no cost', async () => {
    const account = await fixture.delegatedAccount()
    forge(account.address, () => 7)
    // The EOA signs the nonce that it was shown.
    const hash = await fixture.submit(
      bundler,
      await fixture.buildDelegated(bundler, account, [nothing], { authorizationNonce: 7 }),
    )
    proxy.set()
    const funds = await fixture.chain.getBalance({ address: fixture.relayer.address })
    await drive(2)
    expect(await fixture.events(hash)).toEqual([])
    expect(await fixture.chain.getBalance({ address: fixture.relayer.address })).toBe(funds)
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: 'OPERATION_REFUSED' })
  })

  test('behavior: an EOA’s own, until after delivery: the relayer loses one transaction, which the account repays', async () => {
    const account = await fixture.delegatedAccount()
    forge(account.address, () => 7)
    const hash = await fixture.submit(
      bundler,
      await fixture.buildDelegated(bundler, account, [nothing], { authorizationNonce: 7 }),
    )
    const before = (await fixture.transactions()).length
    await drive(12)
    const sent = (await fixture.transactions()).slice(before)
    expect(sent.map(({ state }) => state)).toEqual(['lost'])
    expect(await fixture.events(hash)).toEqual([])
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: 'GAS_OWED' })
    // The account repays with an operation whose authorisation has its true nonce.
    proxy.set()
    const build = () => fixture.buildDelegated(bundler, account, [nothing], { nonceKey: 1n })
    await expect(bundler.deliver(await build())).rejects.toMatchObject({ code: 'GAS_OWED' })
    const next = await fixture.submit(bundler, await build())
    await drive(6)
    expect(await fixture.events(next)).toMatchObject([{ args: { success: true } }])
    expect(readDelegation(await fixture.chain.getCode({ address: account.address })).kind).toBe('delegated')
  })
})
