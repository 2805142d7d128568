/** @module-tag all */
import { describeEachEngine } from '@lanyard/database/testing'
import { boundedLogs, type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothing, type Scene, startScene } from '../../test/scene.ts'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import type { Bundler } from '../index.ts'

/** Blocks whose logs this provider answers at once. */
const maxRange = 100n

describeEachEngine('an operation signed long ago', (engine) => {
  let scene: Scene
  let proxy: RpcProxy
  let bundler: Bundler
  let searches = 0
  beforeAll(async () => {
    scene = await startScene(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl, 0, async (requests) => {
        searches += requests.filter(({ method }) => method === 'eth_getLogs').length
      })
      return { rpcUrls: [proxy.url] }
    })
    bundler = scene.bundler()
    proxy.set(boundedLogs(maxRange))
  })
  afterAll(async () => {
    await scene[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  const submitted = async () => {
    const operation = await scene.build(bundler, await scene.account(), [nothing])
    return { operation, hash: await scene.submit(bundler, operation) }
  }

  test('behavior: whoever included it, the drive goes on for the others, and its delivery finds it', async () => {
    const old = await submitted()
    await scene.chain.sendTransaction({
      account: scene.funder,
      chain: null,
      to: bundler.entryPoint,
      data: encodeHandleOps([old.operation], scene.funder.address),
    })
    await scene.mined()
    await scene.chain.mine({ blocks: 1_200 })
    const other = await submitted()
    await bundler.drive()
    await expect.poll(() => scene.events(other.hash)).toHaveLength(1)
    expect(await scene.row(old.hash)).toMatchObject({ state: 'submitted', attempts: 1 })

    await bundler.deliver(old.operation)
    expect(searches).toBeGreaterThan(1_200 / Number(maxRange))
  })

  test('behavior: when its account was deployed without it, no logs are read, and it is refused', async () => {
    const account = await scene.account()
    const lane = await scene.build(bundler, account, [nothing], { nonceKey: 7n })
    await scene.submit(bundler, await scene.build(bundler, account, [nothing]))
    await bundler.drive()
    await scene.mined()
    await scene.store(lane, 'submitted')
    searches = 0
    const other = await submitted()
    await bundler.drive()
    await expect.poll(() => scene.events(other.hash)).toHaveLength(1)
    await expect(bundler.deliver(lane)).rejects.toMatchObject({ code: 'REBUILD' })
    expect(searches).toBe(0)
  })
})
