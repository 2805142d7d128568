/** @module-tag all */
// @promise 24

import { encodeInitCode, encodeSignature, type SignedUserOperation } from '@lanyard/accounts'
import { describeOneEngine } from '@lanyard/database/testing'
import { multicall3 } from '@lanyard/networks'
import { reportFigure } from '@lanyard/testing'
import { type RpcProxy, type RpcRequest, startRpcProxy, type Traffic } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler, SenderEvent } from '../index.ts'

/** Operations that validate nowhere: their signature is that of nobody. */
const failingAccounts = 20
const failingOfEach = 40

const handleOps = '765e827f'

/** How many `handleOps` a request tries in one call of Multicall3; 0 if it does something else. */
function countTried({ method, params: [call] = [] }: RpcRequest): number {
  if (method !== 'eth_call') return 0
  const { to, data = '' } = call as { readonly to?: string; readonly data?: string } // the method's parameter
  return to?.toLowerCase() === multicall3.toLowerCase() ? data.split(handleOps).length - 1 : 0
}

describeOneEngine('a queue full of operations that fail', (engine) => {
  let fixture: Fixture
  let proxy: RpcProxy
  let bundler: Bundler
  let time = Date.now()
  let onSent = (_: SenderEvent) => {}
  /** Round trips that simulate something. */
  let simulations = 0
  let holds = async (_: readonly RpcRequest[]) => {}
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl, 0, (requests) => {
        if (requests.some(({ method }) => method === 'eth_call')) simulations++
        return holds(requests)
      })
      return { rpcUrls: [proxy.url], pollingInterval: 1_000 }
    })
    bundler = fixture.bundler({ now: () => new Date(time), observe: (event) => onSent(event) })
  })
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
  })

  /** Stores operations on many nonce keys, without the check of delivery. They pay at least what others pay. */
  async function storeFailing(account: FixtureAccount, valid: SignedUserOperation, count = failingOfEach) {
    const signature = encodeSignature({ validAfter: 0, validUntil: 0, signatures: `0x${'11'.repeat(65)}` })
    const failing = Array.from({ length: count }, (_, key) => ({
      ...{ ...valid, sender: account.address, initCode: encodeInitCode(account.owner), signature },
      nonce: (BigInt(key) + 1n) << 64n,
    }))
    await fixture.storeAll(failing, 'submitted')
  }

  test('behavior: another account is sent in the same pass, and failures are tried ever more rarely', async () => {
    const model = await fixture.account()
    const valid = await fixture.build(bundler, model, [nothing])
    const accounts: FixtureAccount[] = []
    for (let index = 0; index < failingAccounts; index++) accounts.push(await fixture.account())
    for (const account of accounts) await storeFailing(account, valid)

    const honest = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    await bundler.drive()
    expect(await fixture.events(honest)).toHaveLength(1)

    const attempts = async () => {
      const { total } = await fixture.database.db
        .selectFrom('operations')
        .select(({ fn }) => fn.sum<string>('attempts').as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    }
    // One of each account, not one of each nonce key.
    expect(await attempts()).toBe(failingAccounts)
    const perMinute: number[] = []
    for (let minute = 0; minute < 3; minute++) {
      const before = await attempts()
      for (let second = 0; second < 60; second += 2) {
        time += 2_000
        await bundler.drive()
      }
      perMinute.push((await attempts()) - before)
    }
    // At first after 1, 2, 4, … 60 s; then once a minute.
    expect(perMinute[0]).toBeLessThanOrEqual(failingAccounts * 6)
    expect(perMinute[2]).toBeLessThanOrEqual(failingAccounts * 2)

    const next = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    await bundler.drive()
    expect(await fixture.events(next)).toHaveLength(1)
  })

  /** Passes until an honest operation is included; what it takes until it is sent, and requests of the rest of the pass. */
  async function timeOfHonest() {
    const account = await fixture.account()
    const hash = await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    const began = performance.now()
    proxy.take()
    simulations = 0
    let sent: (Traffic & { readonly ms: number; readonly simulations: number }) | undefined
    onSent = ({ kind }) => {
      // Nothing else can be sent.
      if (kind === 'sent')
        sent ??= { ...proxy.take(), simulations, ms: Math.round(performance.now() - began) }
    }
    for (let passes = 1; passes <= 20; passes++) {
      await bundler.drive()
      if ((await fixture.events(hash)).length > 0 && sent) {
        await fixture.noticeInclusion()
        return { passes, ...sent, afterwards: proxy.take().requests }
      }
      time += 2_000
    }
    throw new Error('not included within 20 passes')
  }

  /** The sum over all accounts. */
  async function failures(): Promise<number> {
    const { total } = await fixture.database.db
      .selectFrom('account_backoffs')
      .select(({ fn }) => fn.sum<string | null>('failures').as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }

  async function emptyQueue(): Promise<void> {
    await fixture.noticeInclusion()
    await fixture.database.db
      .updateTable('operations')
      .set({ state: 'dropped' })
      .where('state', '=', 'submitted')
      .execute()
  }

  test('behavior: accounts whose operations nobody has tried yet cost two round trips at most, however many fail', async () => {
    await emptyQueue()
    time += 2_000
    const quiet = await timeOfHonest()
    const valid = await fixture.build(bundler, await fixture.account(), [nothing])
    const dear = { ...valid, maxPriorityFeePerGas: valid.maxPriorityFeePerGas * 2n }
    const unknown = await Promise.all(Array.from({ length: 80 }, () => fixture.account()))
    for (const account of unknown) await storeFailing(account, dear, 1)
    time += 2_000
    const first = await timeOfHonest()
    // All of them have failed by now, and every fourth bundle is theirs.
    const later: (typeof first)[] = []
    while (later.length < 4) {
      time += 60_000
      later.push(await timeOfHonest())
    }
    for (const { passes, requests, afterwards } of [first, ...later]) {
      expect(passes).toBe(1)
      expect(requests).toBeLessThanOrEqual(quiet.requests + 10)
      expect(afterwards).toBeLessThanOrEqual(40)
    }
    // The bundle that fails, and those of its kind one by one.
    expect(first.simulations).toBeLessThanOrEqual(quiet.simulations + 2)
    // Those that have failed are tried one by one at once.
    for (const { simulations } of later) expect(simulations).toBeLessThanOrEqual(quiet.simulations + 1)
  })

  test('behavior: a bundle does not wait until it is sure what is wrong with those that are not in it', async () => {
    await emptyQueue()
    time += 2_000
    const isSent = Promise.withResolvers<void>()
    const careful = fixture.bundler({
      now: () => new Date(time),
      observe: ({ kind }) => (kind === 'sent' ? isSent.resolve() : undefined),
      settings: { maxOperationsPerBundle: 2 },
    })
    const valid = await fixture.build(bundler, await fixture.account(), [nothing])
    for (let index = 0; index < 8; index++) await storeFailing(await fixture.account(), valid, 1)
    const before = await failures()
    // Of the same reading of the market, so that both are in one bundle.
    const { maxFeePerGas } = valid
    const first = { maxFeePerGas, maxPriorityFeePerGas: valid.maxPriorityFeePerGas + 1n }
    const honest = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing], first),
    )
    // All of them one by one, the other one in the bundle again, and those that are not in it.
    const tried: number[] = []
    holds = async (requests) => {
      const count = requests.reduce((sum, request) => sum + countTried(request), 0)
      if (count > 0 && tried.push(count) === 3) await isSent.promise
    }
    await careful.drive()
    holds = async () => {}
    expect(tried).toEqual([9, 1, 7])
    expect(await fixture.events(honest)).toHaveLength(1)
    expect(await failures()).toBe(before + 8)
  })

  test('behavior: what has failed waits although the bundle of the others could not be sent', async () => {
    await emptyQueue()
    time += 2_000
    const valid = await fixture.build(bundler, await fixture.account(), [nothing])
    const dear = { ...valid, maxPriorityFeePerGas: valid.maxPriorityFeePerGas * 2n }
    for (let index = 0; index < 8; index++) await storeFailing(await fixture.account(), dear, 1)
    const before = await failures()
    const honest = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    proxy.set({ methods: ['eth_sendRawTransaction'], fault: { kind: 'http', status: 503 } })
    await expect(bundler.drive()).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
    proxy.set()
    expect(await failures()).toBe(before + 8)
    await bundler.drive()
    expect(await fixture.events(honest)).toHaveLength(1)
  })

  // PGlite takes minutes to write them; it has the same statements.
  test.skipIf(engine === 'pglite')(
    'behavior: beside 10,000 failing operations of 100 accounts, an honest one takes at most twice its quiet time',
    {
      tags: ['long'],
      timeout: 900_000,
    },
    async () => {
      await emptyQueue()
      const measure = async (count: number) => {
        const all: Awaited<ReturnType<typeof timeOfHonest>>[] = []
        while (all.length < count) {
          all.push(await timeOfHonest())
          time += 4_000
        }
        return all
      }
      await measure(3) // warms up
      // A node in another data centre. Simulations cost round trips there.
      proxy.set({ fault: { kind: 'delay', milliseconds: 20 } })
      const quiet = await measure(10)
      const valid = await fixture.build(bundler, await fixture.account(), [nothing])
      const accounts = await Promise.all(Array.from({ length: 100 }, () => fixture.account()))
      for (const account of accounts) await storeFailing(account, valid, 100)
      const attacked = await measure(30)
      const limit = (all: typeof quiet) => Math.max(...all.map(({ passes }) => passes))
      const middle = (all: typeof quiet) =>
        all.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
      reportFigure(24, 'milliseconds until an honest operation is sent, median, quiet', middle(quiet))
      reportFigure(24, '… beside 10,000 failing operations of 100 accounts', middle(attacked))
      console.info({ quiet, attacked })
      expect(limit(attacked)).toBeLessThanOrEqual(2 * limit(quiet))
    },
  )
})
