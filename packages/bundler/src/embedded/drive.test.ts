import { describeEachEngine } from '@lanyard/database/testing'
import { parseEther, parseGwei } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothing, type Scene, startScene } from '../../test/scene.ts'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import type { Bundler } from '../index.ts'

describeEachEngine('drive', (engine) => {
  let scene: Scene
  let bundler: Bundler
  beforeAll(async () => {
    scene = await startScene(engine)
    bundler = scene.bundler()
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  const submitted = async (calls = [nothing]) => {
    const account = await scene.account()
    const operation = await scene.build(bundler, account, calls)
    return { account, operation, hash: await scene.submit(bundler, operation) }
  }

  test('default', async () => {
    const { hash } = await submitted()
    await bundler.drive()
    expect(await scene.events(hash)).toMatchObject([{ args: { success: true } }])
  })

  test('behavior: nothing waits', async () => {
    const before = await scene.transactions()
    await bundler.drive()
    expect(await scene.transactions()).toHaveLength(before.length)
  })

  test('behavior: what is submitted at the same time shares transactions, and every one is included once', async () => {
    const before = await scene.transactions()
    const accounts = await Promise.all(Array.from({ length: 20 }, () => scene.account()))
    const operations = await Promise.all(accounts.map((account) => scene.build(bundler, account, [nothing])))
    const started = performance.now()
    const hashes = await Promise.all(
      operations.map(async (operation) => {
        const hash = await scene.submit(bundler, operation)
        await bundler.drive()
        return hash
      }),
    )
    const seconds = (performance.now() - started) / 1000
    for (const hash of hashes) await expect.poll(() => scene.events(hash)).toHaveLength(1)
    const transactions = (await scene.transactions()).length - before.length
    console.log(
      `${engine}: 20 operations in ${transactions} transactions, ${(20 / seconds).toFixed(0)} a second`,
    )
    expect(transactions).toBeLessThan(10)
  })

  test('behavior: a second operation of a sender follows when the first is mined', async () => {
    const account = await scene.account()
    await scene.submit(bundler, await scene.build(bundler, account, [nothing]))
    await bundler.drive()
    const lanes = await Promise.all(
      [0n, 1n, 2n].map((nonceKey) => scene.build(bundler, account, [nothing], { nonceKey })),
    )
    const hashes = await Promise.all(lanes.map((operation) => scene.submit(bundler, operation)))
    for (const _ of hashes) await bundler.drive()
    for (const hash of hashes) await expect.poll(() => scene.events(hash)).toHaveLength(1)
  })

  test('behavior: of two that compete for a nonce the one that pays more is included', async () => {
    const account = await scene.account()
    const fees = (gwei: string) => ({ maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei(gwei) })
    const cheap = await scene.build(bundler, account, [nothing], fees('1'))
    const dear = await scene.build(bundler, account, [{ ...nothing, value: 1n }], {
      ...fees('2'),
      maxFeePerGas: parseGwei('22'),
    })
    const [cheapHash, dearHash] = [await scene.submit(bundler, cheap), await scene.submit(bundler, dear)]
    await bundler.drive()
    await expect.poll(() => scene.events(dearHash)).toHaveLength(1)
    await bundler.drive()
    expect(await scene.events(cheapHash)).toHaveLength(0)
    expect(await scene.row(cheapHash)).toMatchObject({ state: 'submitted', reason_code: null })
    await scene.database.db
      .updateTable('operations')
      .set({ final: true })
      .where('user_op_hash', '=', cheapHash)
      .execute()
  })

  test('behavior: one that fails meanwhile is put back, the others go', async () => {
    const poor = await submitted()
    const rich = await submitted()
    await scene.chain.setBalance({ address: poor.account.address, value: 0n })
    await bundler.drive()
    await expect.poll(() => scene.events(rich.hash)).toHaveLength(1)
    expect(await scene.events(poor.hash)).toHaveLength(0)
    const row = await scene.row(poor.hash)
    expect(row).toMatchObject({ state: 'submitted', reason_code: 'INSUFFICIENT_FUNDS', attempts: 1 })
    expect(row.next_attempt_at?.getTime()).toBeGreaterThan(Date.now())

    await scene.chain.setBalance({ address: poor.account.address, value: parseEther('1') })
    await scene.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    await expect.poll(() => scene.events(poor.hash)).toHaveLength(1)
    expect(await scene.row(poor.hash)).toMatchObject({ reason_code: null })
  })

  test('behavior: one whose fees are below the base fee waits for it to fall', async () => {
    const { hash } = await submitted()
    const { baseFeePerGas } = await scene.chain.getBlock()
    await scene.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('500') })
    await scene.chain.mine({ blocks: 1 })
    await new Promise((resolve) => setTimeout(resolve, 50)) // fees are shared for the polling interval
    await bundler.drive()
    expect(await scene.events(hash)).toHaveLength(0)
    expect(await scene.row(hash)).toMatchObject({ reason_code: 'FEE_TOO_LOW', attempts: 1 })

    await scene.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 1n })
    await scene.chain.mine({ blocks: 1 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await scene.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
  })

  test('behavior: one that another bundler included is left alone', async () => {
    const { hash, operation } = await submitted()
    await scene.chain.sendTransaction({
      account: scene.funder,
      chain: null,
      to: bundler.entryPoint,
      data: encodeHandleOps([operation], scene.funder.address),
    })
    const before = await scene.transactions()
    await bundler.drive()
    await bundler.drive()
    expect(await scene.transactions()).toHaveLength(before.length)
    expect(await scene.row(hash)).toMatchObject({ attempts: 1, reason_code: null })
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
  })

  test('behavior: what was included is never sent again, though nobody noticed it', async () => {
    const before = (await scene.transactions()).length
    const { hash } = await submitted()
    for (let i = 0; i < 3; i++) await bundler.drive()
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
    expect((await scene.transactions()).slice(before)).toMatchObject([{ state: 'mined' }])
  })

  test('behavior: a relayer without funds gives its operations back', async () => {
    const balance = await scene.chain.getBalance({ address: scene.relayer.address })
    await scene.chain.setBalance({ address: scene.relayer.address, value: 1n })
    const { hash } = await submitted()
    await bundler.drive()
    expect(await scene.row(hash)).toMatchObject({
      state: 'submitted',
      reason_code: 'BUNDLER_UNAVAILABLE',
      reason_message: expect.stringContaining(scene.relayer.address),
    })
    await scene.chain.setBalance({ address: scene.relayer.address, value: balance })
    await scene.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
  })

  test('behavior: a second relayer takes what the first cannot send', async () => {
    const bothRelayers = scene.bundler({
      relayers: [scene.relayer, scene.funder],
      settings: { maxInFlight: 0 },
    })
    const { hash } = await submitted()
    await bothRelayers.drive()
    expect(await scene.events(hash)).toHaveLength(0)
    const second = scene.bundler({ relayers: [scene.funder] })
    await second.drive()
    const [row] = (await scene.transactions()).filter(
      ({ relayer }) => relayer === scene.funder.address.toLowerCase(),
    )
    expect(row).toMatchObject({ relayer: scene.funder.address.toLowerCase() })
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
  })

  test('behavior: the relayer is not out of pocket', async () => {
    const { hash } = await submitted()
    const before = await scene.chain.getBalance({ address: scene.relayer.address })
    await bundler.drive()
    await expect.poll(() => scene.events(hash)).toHaveLength(1)
    const after = await scene.chain.getBalance({ address: scene.relayer.address })
    expect(after).toBeGreaterThanOrEqual(before)
  })
})
