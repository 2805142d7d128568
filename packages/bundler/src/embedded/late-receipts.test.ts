/** @module-tag all */
import { describeOneEngine } from '@lanyard/database/testing'
import { lateReceipts, type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

describeOneEngine('a provider whose receipts arrive late', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let proxy: RpcProxy
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl)
      return { rpcUrls: [proxy.url] }
    })
    bundler = fixture.bundler()
  })
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  test('behavior: an included operation is neither refused nor sent again, and the next one is sent', async () => {
    const hash = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    proxy.set(lateReceipts({}))
    for (let pass = 0; pass < 4; pass++) await bundler.drive()
    expect(await fixture.events(hash)).toMatchObject([{ args: { success: true } }])
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: null })
    expect(await fixture.transactions()).toHaveLength(1)
    const next = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    await bundler.drive()
    expect(await fixture.events(next)).toHaveLength(1)
  })
})
