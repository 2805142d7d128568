import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nothing, type Scene, startScene } from '../../test/scene.ts'
import { altoProgram, startAlto } from '../../test/start-alto.ts'
import type { Bundler } from '../index.ts'

describe.skipIf(altoProgram === undefined)('remote bundler: Alto', () => {
  const resources = new AsyncDisposableStack()
  let scene: Scene
  let bundler: Bundler
  beforeAll(async () => {
    scene = resources.use(await startScene('pglite'))
    const alto = resources.use(await startAlto(scene.node, scene.bundler().entryPoint))
    bundler = scene.remoteBundler(alto.url)
  })
  afterAll(() => resources.disposeAsync())

  const untilIncluded = async (hash: `0x${string}`) => {
    await expect.poll(() => scene.events(hash)).toMatchObject([{ args: { success: true } }])
    await scene.noticeInclusion()
  }

  test('default: deploys, then again', async () => {
    const account = await scene.account()
    for (const _ of ['deploying', 'deployed']) {
      const operation = await scene.build(bundler, account, [nothing])
      const hash = await scene.submit(bundler, operation)
      await bundler.drive()
      await untilIncluded(hash)
      await bundler.deliver(operation) // landed already
    }
  })

  test('behavior: the same operation twice', async () => {
    const account = await scene.account()
    const operation = await scene.build(bundler, account, [nothing])
    await bundler.deliver(operation)
    await bundler.deliver(operation)
    await expect.poll(() => scene.events(scene.hashOf(operation))).toHaveLength(1)
  })

  test('behavior: an account without funds estimates', async () => {
    const account = await scene.account({ funded: false })
    const operation = await scene.build(bundler, account, [nothing])
    await expect(bundler.deliver(operation)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  test('behavior: a call that reverts', async () => {
    const account = await scene.account()
    const operation = await scene.draft(account, [{ ...nothing, value: 10n ** 30n }])
    const { execution } = await bundler.estimate({ operation })
    expect(execution.success).toBe(false)
  })

  test('error: INVALID_SIGNATURE', async () => {
    const operation = await scene.build(bundler, await scene.account(), [nothing])
    const promise = bundler.deliver({ ...operation, callGasLimit: operation.callGasLimit + 1n })
    await expect(promise).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  })

  test('error: REBUILD for a nonce that is used', async () => {
    const account = await scene.account()
    const first = await scene.build(bundler, account, [nothing])
    await bundler.deliver(first)
    await untilIncluded(scene.hashOf(first))
    const second = await scene.build(bundler, account, [nothing])
    await bundler.deliver(second)
    await untilIncluded(scene.hashOf(second))
    const late = await scene.sign(account, { ...second, callGasLimit: second.callGasLimit + 1n })
    await expect(bundler.deliver(late)).rejects.toMatchObject({ code: 'REBUILD' })
  })
})
