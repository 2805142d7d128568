/** @module-tag all */
import { describeOneEngine } from '@lanyard/database/testing'
import { type Refusal, type RpcProxy, rateLimit, startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

/** What a rate limit says: a status, a code, or words only. */
const forms: readonly (readonly [string, Refusal])[] = [
  ['HTTP 429', { status: 429 }],
  ['code 429', { code: 429, message: 'Your app has exceeded its compute units per second capacity' }],
  ['code -32005', { code: -32005, message: 'limit exceeded' }],
  ['words', { code: -32000, message: 'daily request count exceeded' }],
]

/** Where a pass over the queue can meet it; undefined: everywhere. */
const methods = ['eth_sendRawTransaction', 'eth_call', 'eth_getTransactionCount', undefined] as const

describeOneEngine('a provider that limits requests while an operation waits', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let proxy: RpcProxy
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl)
      // A request does not wait for the end of a limit, so that each pass meets it.
      return { rpcUrls: [proxy.url], rpcTimeout: 900 }
    })
    bundler = fixture.bundler()
  })
  afterEach(async () => {
    proxy.set()
    // The pause of one test must not reach the next one.
    await expect.poll(() => fixture.network.rateLimit).toBe(0)
  })
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  const drive = () => bundler.drive().catch(() => {})

  test.each(
    forms.flatMap(([form, how]) =>
      methods.map((method) => [form, method ?? 'everything', how, method] as const),
    ),
  )('behavior: %s for %s refuses no operation', async (_form, _what, how, method) => {
    const operation = await fixture.build(bundler, await fixture.account(), [nothing])
    const hash: Hex = await fixture.submit(bundler, operation)
    const before = await fixture.row(hash)
    proxy.set(rateLimit(how, method && { methods: [method] }))
    for (let pass = 0; pass < 3; pass++) await drive()
    const { state, reason_code } = await fixture.row(hash)
    expect({ state, reason_code }).toEqual({ state: before.state, reason_code: null })
    proxy.set()
    const isIncluded = async () => {
      await drive()
      return (await fixture.events(hash)).length
    }
    await expect.poll(isIncluded, { interval: 100 }).toBe(1)
    expect(await fixture.events(hash)).toMatchObject([{ args: { success: true } }])
  })
})
