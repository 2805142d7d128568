import { describeEachEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothing, type Scene, startScene } from '../../test/scene.ts'

describeEachEngine('the lease of a relayer', (engine) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await startScene(engine)
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  const submitted = async () => {
    const bundler = scene.bundler()
    const account = await scene.account()
    return await scene.submit(bundler, await scene.build(bundler, account, [nothing]))
  }

  test('behavior: another process that holds it drains the same queue', async () => {
    const first = await submitted()
    const holding = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const holder = scene.bundler({
      checkpoint: async (name) => {
        if (name !== 'relayer:sent-recorded') return
        holding.resolve()
        await mayGoOn.promise
      },
    })
    const driving = holder.drive()
    await holding.promise

    const second = await submitted()
    await scene.bundler().drive() // returns though it could do nothing
    expect(await scene.events(second)).toHaveLength(0)
    mayGoOn.resolve()
    await driving
    await expect.poll(() => scene.events(first)).toHaveLength(1)
    await expect.poll(() => scene.events(second)).toHaveLength(1)
  })

  test('behavior: a former holder can write no more', async () => {
    const hash = await submitted()
    const stopped = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const slow = scene.bundler({
      checkpoint: async (name) => {
        if (name !== 'relayer:signed') return
        stopped.resolve()
        await mayGoOn.promise
      },
    })
    const driving = slow.drive()
    await stopped.promise
    await scene.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
    const rows = await scene.transactions()
    mayGoOn.resolve()
    await driving
    expect(await scene.transactions()).toEqual(rows)
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
  })
})
