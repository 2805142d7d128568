import { describeEachEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothing, type Scene, startScene } from '../../test/scene.ts'

describeEachEngine('drive', (engine) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await startScene(engine)
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  test('default', async () => {
    const bundler = scene.bundler()
    const account = await scene.account()
    const operation = await scene.build(bundler, account, [nothing])
    const hash = await scene.submit(bundler, operation)
    const started = performance.now()
    await bundler.drive()
    console.log('drive', performance.now() - started)
    expect(await scene.events(hash)).toMatchObject([{ args: { success: true } }])
  })
})
