/** @module-tag all */
import { encodeFinalizeExit, encodeRequestExit, exitDelay, settlementWindow } from '@lanyard/smart-balance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payee } from '../orders/order-service.ts'
import { type Fixture, type FixtureWallet, startFixture } from './settlement-fixture.ts'

/** Chains whose clocks are put forward: a suite of its own, in this order. */
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture('pglite')
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const outputNetwork = 31339

async function putForward(chainId: number, seconds: number) {
  await fixture.on(chainId).chain.increaseTime({ seconds })
  await fixture.finalize(chainId)
}

/** Spends from one source, up to where it is due there. */
async function makeDue(source: number) {
  const wallet = await fixture.createFunded([31337, 31338])
  const orderId = await fixture.spendUntilDue(wallet, { amount: 150_000_000n, outputNetwork })
  const debit = (await fixture.readOrder(orderId)).debits.find(({ network }) => network === source)
  if (!debit) throw new TypeError(`Nothing is debited on ${source}`)
  return { wallet, orderId, debit }
}

/**
 * Accounts leave with all but a part. Reservations do not count what exits, so a ripe exit can only meet a debit when
 * the networks' clocks are a week apart, against the protocol's assumption: here they are.
 */
async function exitBut(source: number, leaving: readonly { wallet: FixtureWallet; left: bigint }[]) {
  const { chain, smartBalance } = fixture.on(source)
  for (const { wallet, left } of leaving) {
    const amount = (await fixture.depositOf(source, wallet.address)) - left
    await fixture.callAs(source, wallet.address, smartBalance, encodeRequestExit(smartBalance, amount).data)
  }
  await chain.increaseTime({ seconds: exitDelay })
  for (const { wallet } of leaving) {
    const { data } = encodeFinalizeExit(smartBalance, payee)
    await fixture.callAs(source, wallet.address, smartBalance, data)
  }
}

const settle = async (source: number) => {
  await fixture.settlerOn(source).settle()
  await fixture.finalize(source)
  await fixture.settlerOn(source).settle()
}

test('behavior: expired once a final block is past validUntil, whatever the own clock says', async () => {
  const wallet = await fixture.createFunded([31337, 31338])
  const { orderId } = await fixture.build(wallet, { amount: 150_000_000n, outputNetwork })
  const { debits } = await fixture.readOrder(orderId)
  await fixture.track(outputNetwork)
  expect((await fixture.readOrder(orderId)).order.state).toBe('RESERVED')
  await putForward(outputNetwork, exitDelay)
  await fixture.track(outputNetwork)
  const expired = await fixture.readOrder(orderId)
  expect(expired.order).toMatchObject({ state: 'EXPIRED', outcome: null })
  expect(expired.debits).toEqual(debits.map((debit) => ({ ...debit, state: 'RELEASED' })))
})

test('behavior: a ripe exit leaves a part: PARTIAL, and settled once there is a deposit again', async () => {
  const { wallet, orderId, debit } = await makeDue(31337)
  const left = 40_000_000n
  await exitBut(31337, [{ wallet, left }])
  await settle(31337)
  const partial = await fixture.readOrder(orderId)
  expect(partial.debits[0]).toMatchObject({ state: 'PARTIAL', settled_amount: left })
  expect(partial.order.closed_at).toBeNull()

  await fixture.deposit(31337, wallet.address, debit.amount - left)
  const { order } = await fixture.passUntil(orderId, { state: 'SETTLED' }, 40)
  const taken = await fixture.settlements(31337, order.order_hash)
  expect(taken.map(({ args }) => args.amount)).toEqual([left, debit.amount - left])
})

test('behavior: when the window closes, what is left is lost, and the order ends', async () => {
  const gone = await makeDue(31338)
  const reduced = await makeDue(31338)
  const left = 10_000_000n
  await exitBut(31338, [
    { wallet: gone.wallet, left: 0n },
    { wallet: reduced.wallet, left },
  ])
  await settle(31338)
  const debitOf = async (orderId: string) => (await fixture.readOrder(orderId)).debits[1]
  expect(await debitOf(gone.orderId)).toMatchObject({ state: 'DUE', settled_amount: 0n })
  expect(await debitOf(reduced.orderId)).toMatchObject({ state: 'PARTIAL', settled_amount: left })

  await putForward(31338, settlementWindow + 700)
  await settle(31338)
  expect(await debitOf(gone.orderId)).toMatchObject({ state: 'LOST', settled_amount: 0n })
  expect(await debitOf(reduced.orderId)).toMatchObject({
    state: 'PARTIAL',
    closed_at: expect.any(Date),
  })
  for (const { orderId } of [gone, reduced]) {
    const { order } = await fixture.passUntil(orderId, { state: 'SETTLED' })
    expect(order.closed_at).not.toBeNull()
  }
})
