/** @module-tag all */

import { describeOneEngine } from '@lanyard/database/testing'
import { devAccounts } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attestOrders } from '../../src/domain/smart-balance/settlement/attest-orders.ts'
import { attestors, type Fixture, startFixture } from './settlement-fixture.ts'

const all = [31337, 31338, 31339] as const
const thirdParty = privateKeyToAccount(devAccounts[4]?.privateKey ?? randomPrivateKey())

describeOneEngine('attestations', (engine) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())

  const claimed = async () => {
    const wallet = await fixture.createFunded(all)
    const orderId = await fixture.spend(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
    await fixture.track(31339)
    await fixture.finalize(31339)
    return orderId
  }

  test('behavior: an order needs attestations of two of three attestors', async () => {
    const orderId = await claimed()
    await fixture.attest(31339, attestors.slice(0, 1))
    await fixture.track(31339)
    expect((await fixture.readOrder(orderId)).order.state).toBe('CLAIMED')
    await fixture.attest(31339, attestors.slice(2))
    await fixture.track(31339)
    expect((await fixture.readOrder(orderId)).order.state).toBe('ATTESTED')
  })

  test('behavior: attestations of a third party, with a wrong signature or with another outcome do not count', async () => {
    const orderId = await claimed()
    const { order } = await fixture.readOrder(orderId)
    await fixture.attest(31339, [attestors[0] ?? thirdParty, thirdParty])
    const [second, third] = [attestors[1] ?? thirdParty, attestors[2] ?? thirdParty]
    const [genuine] = await fixture.db
      .selectFrom('attestations')
      .selectAll()
      .where('order_hash', '=', order.order_hash ?? '')
      .where('signature', 'is not', null)
      .execute()
    if (!genuine) throw new TypeError('The first attestor has no signature')
    await fixture.db
      .insertInto('attestations')
      .values([
        { ...genuine, attestor: second.address.toLowerCase() }, // the first attestor's signature
        { ...genuine, attestor: third.address.toLowerCase(), outcome: 'failed' },
      ])
      .execute()
    await fixture.track(31339)
    expect((await fixture.readOrder(orderId)).order.state).toBe('CLAIMED')
    await fixture.db.deleteFrom('attestations').where('attestor', '<>', genuine.attestor).execute()
    await fixture.passUntil(orderId, { state: 'SETTLED' })
  })

  test('behavior: an attestor never signs a second, different outcome', async () => {
    const orderId = await claimed()
    const { order } = await fixture.readOrder(orderId)
    const [first] = attestors
    if (!first || !order.order_hash) throw new TypeError('The first attestor or the order hash is missing')
    const decision = {
      order_hash: order.order_hash,
      attestor: first.address.toLowerCase(),
      outcome: 'failed',
      block_number: 1,
      block_hash: '0x',
      decided_at: new Date(),
      signature: null,
    } as const
    await fixture.db.insertInto('attestations').values(decision).execute()
    await fixture.attest(31339, attestors.slice(0, 1))
    const rows = await fixture.db
      .selectFrom('attestations')
      .selectAll()
      .where('order_hash', '=', order.order_hash)
      .execute()
    expect(rows).toMatchObject([{ outcome: 'failed', signature: null }])
    await fixture.attest(31339, attestors.slice(1))
    await fixture.passUntil(orderId, { state: 'SETTLED' })
  })

  test('behavior: no outcome is attested before its block is final', async () => {
    const wallet = await fixture.createFunded(all)
    const orderId = await fixture.spend(wallet, { amount: 150_000_000n, outputNetwork: 31338 })
    await fixture.track(31338)
    const { order } = await fixture.readOrder(orderId)
    const at = fixture.balanceOn(31338)
    const network = { ...at.network, finalizedBlock: async () => BigInt(order.block_number ?? 0) - 1n }
    await attestOrders(fixture.services, { ...at, network }, attestors)
    expect(
      await fixture.db
        .selectFrom('attestations')
        .selectAll()
        .where('order_hash', '=', order.order_hash ?? '')
        .execute(),
    ).toEqual([])
    await fixture.passUntil(orderId, { state: 'SETTLED' })
  })
})
