/** @module-tag all */

import { usualEngine } from '@lanyard/database/testing'
import { createNetworks } from '@lanyard/networks'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balanceNetworks } from '../../src/domain/smart-balance/settlement/dependencies.ts'
import { type Fixture, settlerAccount, startFixture } from './settlement-fixture.ts'

/** Settlers run concurrently on PostgreSQL only. */
const engine = usualEngine()

describe('the settler', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())

  const attested = async (sources: readonly number[], outputNetwork: number, amount = 50_000_000n) =>
    fixture.spendUntilDue(await fixture.createFunded(sources), { amount, outputNetwork })

  test('behavior: two concurrent settlers on one table settle each order once', async () => {
    const orders = [
      await attested([31337], 31338),
      await attested([31337], 31338),
      await attested([31337], 31339),
    ]
    const both = [fixture.settlerOn(31337), fixture.settlerOn(31337)]
    for (let pass = 0; pass < 3; pass++) {
      await Promise.all(both.map((settler) => settler.settle()))
      await fixture.finalize(31337)
    }
    for (const orderId of orders) {
      const { order } = await fixture.passUntil(orderId, { state: 'SETTLED' })
      expect(await fixture.settlements(31337, order.order_hash)).toHaveLength(1)
    }
  })

  test('behavior: an unreachable source does not delay the others and settles when it is back', async () => {
    const orderId = await attested([31337, 31338], 31339, 150_000_000n)
    const { config } = fixture.balanceOn(31337).network
    const [unreachable] = balanceNetworks(createNetworks([{ ...config, rpcUrls: ['http://127.0.0.1:9'] }]))
    if (!unreachable) throw new TypeError('The network has no smart balance')
    for (let pass = 0; pass < 2; pass++) {
      await expect(fixture.settlerOn(31337, fixture.services, unreachable).settle()).rejects.toMatchObject({
        code: 'NETWORK_UNAVAILABLE',
      })
      await fixture.settlerOn(31338).settle()
      await fixture.finalize(31338)
    }
    const { debits } = await fixture.readOrder(orderId)
    expect(debits.map(({ state }) => state)).toEqual(['DUE', 'SETTLED'])
    const { order } = await fixture.passUntil(orderId, { state: 'SETTLED' })
    expect(await fixture.settlements(31337, order.order_hash)).toHaveLength(1)
  })

  test('behavior: debits wait while the settler has no funds for gas', async () => {
    const orderId = await attested([31338], 31337)
    const { chain } = fixture.on(31338)
    const balance = await chain.getBalance({ address: settlerAccount.address })
    await chain.setBalance({ address: settlerAccount.address, value: 0n })
    await fixture
      .settlerOn(31338)
      .settle()
      .catch(() => {})
    const { debits } = await fixture.readOrder(orderId)
    expect(debits).toMatchObject([{ state: 'DUE', attempts: 1, reason: 'insufficient-funds' }])
    expect(fixture.logged.some(({ msg }) => String(msg).includes('too little to pay for gas'))).toBe(true)
    await chain.setBalance({ address: settlerAccount.address, value: balance + parseEther('1') })
    await expect
      .poll(async () => {
        await fixture.settlerOn(31338).settle()
        await fixture.finalize(31338)
        return (await fixture.readOrder(orderId)).debits[0]?.state
      })
      .toBe('SETTLED')
  })

  test('attack: settlements wait while they would cost more than settlementGasPerHour', async () => {
    const { config } = fixture.balanceOn(31338).network
    const limited = (settlementGasPerHour: string) => {
      const [on] = balanceNetworks(createNetworks([{ ...config, settlementGasPerHour }]))
      if (!on) throw new TypeError('The network has no smart balance')
      return fixture.settlerOn(31338, fixture.services, on)
    }
    const sent = () =>
      fixture.db
        .selectFrom('relayer_transactions')
        .select('loss')
        .where('network', '=', 31338)
        .where('relayer', '=', settlerAccount.address.toLowerCase())
        .orderBy('nonce', 'desc')
        .execute()
    fixture.advance(3_600_001)
    const before = await sent()
    await attested([31338], 31337)
    await limited(String(parseEther('1'))).settle()
    const [{ loss = 0n } = {}, ...earlier] = await sent()
    expect(earlier).toHaveLength(before.length)
    expect(loss).toBeGreaterThan(0n)

    // Another one would exceed the limit by a little.
    const orderId = await attested([31338], 31337)
    const settler = limited(String(loss + loss / 2n))
    await settler.settle()
    expect(await sent()).toHaveLength(before.length + 1)
    expect(fixture.logged).toContainEqual(
      expect.objectContaining({
        ...{ settler: settlerAccount.address, reason: 'new' },
        msg: expect.stringContaining('more than its hourly limit'),
      }),
    )
    const { debits } = await fixture.readOrder(orderId)
    expect(debits).toMatchObject([{ state: 'DUE', attempts: 1, reason: 'over-limit' }])
    fixture.advance(3_600_001)
    await settler.settle()
    expect(await sent()).toHaveLength(before.length + 2)
    await fixture.passUntil(orderId, { state: 'SETTLED' })
  })

  test('behavior: a debit that another settler settled is not sent again', async () => {
    const orderId = await attested([31338], 31337)
    // The deleted rows simulate a settler with the same key and its own database.
    const { order } = await fixture.readOrder(orderId)
    await fixture.settlerOn(31338).settle()
    await fixture.finalize(31338)
    await fixture.db.deleteFrom('settlement_debits').where('order_id', '=', orderId).execute()
    await expect
      .poll(async () => {
        await fixture.settlerOn(31338).settle()
        await fixture.finalize(31338)
        return (await fixture.readOrder(orderId)).debits[0]?.state
      })
      .toBe('SETTLED')
    expect(await fixture.settlements(31338, order.order_hash)).toHaveLength(1)
  })

  test('behavior: a debit that always fails does not block other debits', async () => {
    const bad = await attested([31337], 31338)
    const good = await attested([31337], 31338)
    const { order } = await fixture.readOrder(bad)
    // The forged signature simulates a lost signature of the log.
    const forged = `0x${'00'.repeat(12)}${'11'.repeat(65)}`
    const genuine = await fixture.db
      .selectFrom('order_operations')
      .select('signature')
      .where('order_hash', '=', order.order_hash ?? '')
      .executeTakeFirstOrThrow()
    const setSignature = (signature: string | null) =>
      fixture.db
        .updateTable('order_operations')
        .set({ signature })
        .where('order_hash', '=', order.order_hash ?? '')
        .execute()
    await setSignature(forged)
    await fixture.settlerOn(31337).settle()
    await fixture.finalize(31337)
    await fixture.settlerOn(31337).settle()
    expect((await fixture.readOrder(good)).debits).toMatchObject([{ state: 'SETTLED' }])
    expect((await fixture.readOrder(bad)).debits).toMatchObject([{ state: 'DUE', settled_amount: 0n }])
    await setSignature(genuine.signature)
    await expect
      .poll(async () => {
        await fixture.settlerOn(31337).settle()
        await fixture.finalize(31337)
        return (await fixture.readOrder(bad)).debits[0]?.state
      })
      .toBe('SETTLED')
  })
})
