import { describeEachEngine } from '@lanyard/database/testing'
import { parseEther, parseGwei } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import type { Bundler } from '../index.ts'

describeEachEngine('drive', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  beforeAll(async () => {
    fixture = await startFixture(engine)
    bundler = fixture.bundler()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const submitted = async (calls = [nothing]) => {
    const account = await fixture.account()
    const operation = await fixture.build(bundler, account, calls)
    return { account, operation, hash: await fixture.submit(bundler, operation) }
  }

  test('default', async () => {
    const { hash } = await submitted()
    await bundler.drive()
    expect(await fixture.events(hash)).toMatchObject([{ args: { success: true } }])
  })

  test('behavior: sends nothing if no operation waits', async () => {
    const before = await fixture.transactions()
    await bundler.drive()
    expect(await fixture.transactions()).toHaveLength(before.length)
  })

  test('behavior: concurrent operations share transactions, and each is included once', async () => {
    const before = await fixture.transactions()
    const accounts = await Promise.all(Array.from({ length: 20 }, () => fixture.account()))
    const operations = await Promise.all(
      accounts.map((account) => fixture.build(bundler, account, [nothing])),
    )
    const started = performance.now()
    const hashes = await Promise.all(
      operations.map(async (operation) => {
        const hash = await fixture.submit(bundler, operation)
        await bundler.drive()
        return hash
      }),
    )
    const seconds = (performance.now() - started) / 1000
    for (const hash of hashes) await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    const transactions = (await fixture.transactions()).length - before.length
    console.log(
      `${engine}: 20 operations in ${transactions} transactions, ${(20 / seconds).toFixed(0)} a second`,
    )
    expect(transactions).toBeLessThan(10)
  })

  test("behavior: a sender's next operation is sent once the previous one is mined", async () => {
    const account = await fixture.account()
    await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    await bundler.drive()
    const lanes = await Promise.all(
      [0n, 1n, 2n].map((nonceKey) => fixture.build(bundler, account, [nothing], { nonceKey })),
    )
    const hashes = await Promise.all(lanes.map((operation) => fixture.submit(bundler, operation)))
    for (const _ of hashes) await bundler.drive()
    for (const hash of hashes) await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: if two operations compete for a nonce, the one that pays more is included', async () => {
    const account = await fixture.account()
    const fees = (gwei: string) => ({ maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei(gwei) })
    const cheap = await fixture.build(bundler, account, [nothing], fees('1'))
    const dear = await fixture.build(bundler, account, [{ ...nothing, value: 1n }], {
      ...fees('2'),
      maxFeePerGas: parseGwei('22'),
    })
    const [cheapHash, dearHash] = [await fixture.submit(bundler, cheap), await fixture.submit(bundler, dear)]
    await bundler.drive()
    await expect.poll(() => fixture.events(dearHash)).toHaveLength(1)
    await bundler.drive()
    expect(await fixture.events(cheapHash)).toHaveLength(0)
    expect(await fixture.row(cheapHash)).toMatchObject({ state: 'submitted', reason_code: null })
    await fixture.database.db
      .updateTable('operations')
      .set({ final: true })
      .where('user_op_hash', '=', cheapHash)
      .execute()
  })

  test('behavior: an operation that starts to fail is returned to the queue, and the others are sent', async () => {
    const poor = await submitted()
    const rich = await submitted()
    await fixture.chain.setBalance({ address: poor.account.address, value: 0n })
    await bundler.drive()
    await expect.poll(() => fixture.events(rich.hash)).toHaveLength(1)
    expect(await fixture.events(poor.hash)).toHaveLength(0)
    const row = await fixture.row(poor.hash)
    expect(row).toMatchObject({ state: 'submitted', reason_code: 'INSUFFICIENT_FUNDS', attempts: 1 })
    expect(row.next_attempt_at?.getTime()).toBeGreaterThan(Date.now())

    await fixture.chain.setBalance({ address: poor.account.address, value: parseEther('1') })
    await fixture.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    await expect.poll(() => fixture.events(poor.hash)).toHaveLength(1)
    expect(await fixture.row(poor.hash)).toMatchObject({ reason_code: null })
  })

  test('behavior: an operation with fees below the base fee waits until the base fee falls', async () => {
    const { hash } = await submitted()
    const { baseFeePerGas } = await fixture.chain.getBlock()
    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('500') })
    await fixture.chain.mine({ blocks: 1 })
    await new Promise((resolve) => setTimeout(resolve, 50)) // fees are shared for the polling interval
    await bundler.drive()
    expect(await fixture.events(hash)).toHaveLength(0)
    expect(await fixture.row(hash)).toMatchObject({ reason_code: 'FEE_TOO_LOW', attempts: 0 })

    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 1n })
    await fixture.chain.mine({ blocks: 1 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await bundler.drive() // at once: no retry was scheduled
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: an operation that another bundler included is not sent', async () => {
    const { hash, operation } = await submitted()
    await fixture.chain.sendTransaction({
      account: fixture.funder,
      chain: null,
      to: bundler.entryPoint,
      data: encodeHandleOps([operation], fixture.funder.address),
    })
    await fixture.mined()
    const before = await fixture.transactions()
    await bundler.drive()
    await bundler.drive()
    expect(await fixture.transactions()).toHaveLength(before.length)
    expect(await fixture.row(hash)).toMatchObject({ attempts: 1, reason_code: null })
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: an included operation is never sent again, even before its inclusion is recorded', async () => {
    const before = (await fixture.transactions()).length
    const { hash } = await submitted()
    for (let i = 0; i < 3; i++) await bundler.drive()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    expect((await fixture.transactions()).slice(before)).toMatchObject([{ state: 'mined' }])
  })

  test('behavior: a relayer without funds returns its operations to the queue', async () => {
    const balance = await fixture.chain.getBalance({ address: fixture.relayer.address })
    await fixture.chain.setBalance({ address: fixture.relayer.address, value: 1n })
    const { hash } = await submitted()
    await bundler.drive()
    expect(await fixture.row(hash)).toMatchObject({
      state: 'submitted',
      reason_code: 'BUNDLER_UNAVAILABLE',
      reason_message: expect.stringContaining(fixture.relayer.address),
    })
    await fixture.chain.setBalance({ address: fixture.relayer.address, value: balance })
    await fixture.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: a second relayer sends what the first one cannot', async () => {
    const bothRelayers = fixture.bundler({
      relayers: [fixture.relayer, fixture.funder],
      settings: { maxInFlight: 0 },
    })
    const { hash } = await submitted()
    await bothRelayers.drive()
    expect(await fixture.events(hash)).toHaveLength(0)
    const second = fixture.bundler({ relayers: [fixture.funder] })
    await second.drive()
    const [row] = (await fixture.transactions()).filter(
      ({ relayer }) => relayer === fixture.funder.address.toLowerCase(),
    )
    expect(row).toMatchObject({ relayer: fixture.funder.address.toLowerCase() })
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: the relayer does not lose money', async () => {
    const { hash } = await submitted()
    const before = await fixture.chain.getBalance({ address: fixture.relayer.address })
    await bundler.drive()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    const after = await fixture.chain.getBalance({ address: fixture.relayer.address })
    expect(after).toBeGreaterThanOrEqual(before)
  })
})
