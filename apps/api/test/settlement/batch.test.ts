/** @module-tag all */
/** @module-tag first */
import { usualEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './settlement-fixture.ts'

/** Blocks come only with transactions and on request, so all orders become final together. */
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture(usualEngine(), { blockTime: 3_600 })
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

test('behavior: 20 orders of 20 accounts settle in one transaction', async () => {
  const orders: string[] = []
  for (let index = 0; index < 20; index++) {
    const wallet = await fixture.createFunded([31337, 31338], 10_000_000n)
    orders.push(await fixture.spend(wallet, { amount: 12_000_000n, outputNetwork: 31339 }))
  }
  await fixture.track(31339)
  await fixture.finalize(31339)
  await fixture.attest(31339)
  await fixture.track(31339)
  const settler = fixture.settlerOn(31337)
  const { chain } = fixture.on(31337)
  const readSettled = () =>
    Promise.all(
      orders.map(async (orderId) => {
        const { order } = await fixture.readOrder(orderId)
        return fixture.settlements(31337, order.order_hash)
      }),
    )
  const countSettled = async () => {
    // A pass that runs longer than its lease sends nothing. The next pass does.
    await settler.settle()
    return (await readSettled()).map((logs) => logs.length)
  }
  await expect.poll(countSettled).toEqual(orders.map(() => 1))
  const hashes = new Set((await readSettled()).flatMap((logs) => logs.map((log) => log.transactionHash)))
  expect(hashes.size).toBe(1)
  const [hash] = hashes
  if (!hash) throw new TypeError('There is no transaction')
  const { gasUsed } = await chain.getTransactionReceipt({ hash })
  console.log(`settleBatch of ${orders.length} orders: ${gasUsed / BigInt(orders.length)} gas per order`)
})
