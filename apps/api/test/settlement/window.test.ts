/** @module-tag all */
import { usualEngine } from '@lanyard/database/testing'
import { encodeFinalizeExit, encodeRequestExit, exitDelay, settlementWindow } from '@lanyard/smart-balance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payee } from '../orders/order-service.ts'
import { type Fixture, type FixtureWallet, startFixture } from './settlement-fixture.ts'

/** This suite moves the clocks of its chains forward, so it has its own chains and its tests run in order. */
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture(usualEngine())
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const outputNetwork = 31339

async function advanceChain(chainId: number, seconds: number) {
  await fixture.on(chainId).chain.increaseTime({ seconds })
  await fixture.finalize(chainId)
}

/** Spends from one source until the debit is due there. */
async function makeDue(source: number) {
  const wallet = await fixture.createFunded([31337, 31338])
  const orderId = await fixture.spendUntilDue(wallet, { amount: 150_000_000n, outputNetwork })
  const debit = (await fixture.readOrder(orderId)).debits.find(({ network }) => network === source)
  if (!debit) throw new TypeError(`There is no debit on ${source}`)
  return { wallet, orderId, debit }
}

/**
 * Accounts withdraw all but `left`. A reservation excludes exiting deposits, so an exit can reduce a debit only if the
 * clocks of two networks differ by a week. The protocol assumes that this never happens.
 */
async function exitAllBut(source: number, exits: readonly { wallet: FixtureWallet; left: bigint }[]) {
  const { chain, smartBalance } = fixture.on(source)
  for (const { wallet, left } of exits) {
    const amount = (await fixture.depositOf(source, wallet.address)) - left
    await fixture.callAs(source, wallet.address, smartBalance, encodeRequestExit(smartBalance, amount).data)
  }
  await chain.increaseTime({ seconds: exitDelay })
  for (const { wallet } of exits) {
    const { data } = encodeFinalizeExit(smartBalance, payee)
    await fixture.callAs(source, wallet.address, smartBalance, data)
  }
}

const settle = async (source: number) => {
  await fixture.settlerOn(source).settle()
  await fixture.finalize(source)
  await fixture.settlerOn(source).settle()
}

test("behavior: an order expires when a final block is past validUntil, independent of the service's clock", async () => {
  const wallet = await fixture.createFunded([31337, 31338])
  const { orderId } = await fixture.build(wallet, { amount: 150_000_000n, outputNetwork })
  const { debits } = await fixture.readOrder(orderId)
  await fixture.track(outputNetwork)
  expect((await fixture.readOrder(orderId)).order.state).toBe('RESERVED')
  await advanceChain(outputNetwork, exitDelay)
  await fixture.track(outputNetwork)
  const expired = await fixture.readOrder(orderId)
  expect(expired.order).toMatchObject({ state: 'EXPIRED', outcome: null })
  expect(expired.debits).toEqual(debits.map((debit) => ({ ...debit, state: 'RELEASED' })))
})

test('behavior: a finalized exit leaves the debit PARTIAL until a new deposit settles it', async () => {
  const { wallet, orderId, debit } = await makeDue(31337)
  const left = 40_000_000n
  await exitAllBut(31337, [{ wallet, left }])
  await settle(31337)
  const partial = await fixture.readOrder(orderId)
  expect(partial.debits[0]).toMatchObject({ state: 'PARTIAL', settled_amount: left })
  expect(partial.order.closed_at).toBeNull()

  // The other source accepts the order once its clock has followed: at most an hour before validUntil.
  await advanceChain(31338, exitDelay)
  await fixture.deposit(31337, wallet.address, debit.amount - left)
  const { order } = await fixture.passUntil(orderId, { state: 'SETTLED' }, 40)
  const taken = await fixture.settlements(31337, order.order_hash)
  expect(taken.map(({ args }) => args.amount)).toEqual([left, debit.amount - left])
})

test('behavior: when the settlement window closes, the rest is lost and the order ends', async () => {
  await advanceChain(outputNetwork, exitDelay)
  const emptied = await makeDue(31338)
  const reduced = await makeDue(31338)
  const left = 10_000_000n
  await exitAllBut(31338, [
    { wallet: emptied.wallet, left: 0n },
    { wallet: reduced.wallet, left },
  ])
  await settle(31338)
  const debitOf = async (orderId: string) => (await fixture.readOrder(orderId)).debits[1]
  expect(await debitOf(emptied.orderId)).toMatchObject({ state: 'DUE', settled_amount: 0n })
  expect(await debitOf(reduced.orderId)).toMatchObject({ state: 'PARTIAL', settled_amount: left })

  await advanceChain(31338, settlementWindow + 700)
  await settle(31338)
  expect(await debitOf(emptied.orderId)).toMatchObject({ state: 'LOST', settled_amount: 0n })
  expect(await debitOf(reduced.orderId)).toMatchObject({
    state: 'PARTIAL',
    closed_at: expect.any(Date),
  })
  await advanceChain(31337, exitDelay)
  for (const { orderId } of [emptied, reduced]) {
    const { order } = await fixture.passUntil(orderId, { state: 'SETTLED' })
    expect(order.closed_at).not.toBeNull()
  }
})
