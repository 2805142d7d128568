/** @module-tag all */
// @promise 24 B.14
import { describeOneEngine } from '@lanyard/database/testing'
import { boundedLogs, type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import type { Bundler } from '../index.ts'

/** Maximum number of blocks in one log request to this provider. */
const maxRange = 25n

describeOneEngine('an operation signed long ago', (engine) => {
  let fixture: Fixture
  let proxy: RpcProxy
  let bundler: Bundler
  let searches = 0
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl, 0, async (requests) => {
        searches += requests.filter(({ method }) => method === 'eth_getLogs').length
      })
      return { rpcUrls: [proxy.url] }
    })
    bundler = fixture.bundler()
    proxy.set(boundedLogs(maxRange))
  })
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  const submitted = async () => {
    const operation = await fixture.build(bundler, await fixture.account(), [nothing])
    return { operation, hash: await fixture.submit(bundler, operation) }
  }

  test('behavior: if anyone included it, other operations are still sent, and its delivery finds it', async () => {
    const old = await submitted()
    await fixture.chain.sendTransaction({
      account: fixture.funder,
      chain: null,
      to: bundler.entryPoint,
      data: encodeHandleOps([old.operation], fixture.funder.address),
    })
    await fixture.mined()
    await fixture.chain.mine({ blocks: 300 })
    const other = await submitted()
    await bundler.drive()
    await expect.poll(() => fixture.events(other.hash)).toHaveLength(1)
    expect(await fixture.row(old.hash)).toMatchObject({ state: 'submitted', attempts: 1 })

    await bundler.deliver(old.operation)
    expect(searches).toBeGreaterThan(300 / Number(maxRange))
  })

  test('behavior: if its account was deployed without it, it is rejected without reading logs', async () => {
    const account = await fixture.account()
    const lane = await fixture.build(bundler, account, [nothing], { nonceKey: 7n })
    await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    await bundler.drive()
    await fixture.mined()
    await fixture.store(lane, 'submitted')
    searches = 0
    const other = await submitted()
    await bundler.drive()
    await expect.poll(() => fixture.events(other.hash)).toHaveLength(1)
    await expect(bundler.deliver(lane)).rejects.toMatchObject({ code: 'REBUILD' })
    expect(searches).toBe(0)
  })
})
