import { describeEachEngine } from '@lanyard/database/testing'
import { devAccounts } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attestOrders } from '../../src/domain/smart-balance/settlement/attest-orders.ts'
import { attestors, type Scene, startScene } from './scene.ts'

const all = [31337, 31338, 31339] as const
const stranger = privateKeyToAccount(devAccounts[4]?.privateKey ?? randomPrivateKey())

describeEachEngine('attestations', { repeatOn: 'postgresql' }, (engine) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await startScene(engine)
  })
  afterAll(() => scene?.[Symbol.asyncDispose]())

  const claimed = async () => {
    const wallet = await scene.createFunded(all)
    const orderId = await scene.spend(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
    await scene.track(31339)
    await scene.finalize(31339)
    return orderId
  }

  test('behavior: one of three is not enough, two are', async () => {
    const orderId = await claimed()
    await scene.attest(31339, attestors.slice(0, 1))
    await scene.track(31339)
    expect((await scene.readOrder(orderId)).order.state).toBe('CLAIMED')
    await scene.attest(31339, attestors.slice(2))
    await scene.track(31339)
    expect((await scene.readOrder(orderId)).order.state).toBe('ATTESTED')
  })

  test('behavior: a stranger, a wrong signature, another outcome: none of them counts', async () => {
    const orderId = await claimed()
    const { order } = await scene.readOrder(orderId)
    await scene.attest(31339, [attestors[0] ?? stranger, stranger])
    const [second, third] = [attestors[1] ?? stranger, attestors[2] ?? stranger]
    const [genuine] = await scene.db
      .selectFrom('attestations')
      .selectAll()
      .where('order_hash', '=', order.order_hash ?? '')
      .where('signature', 'is not', null)
      .execute()
    if (!genuine) throw new TypeError('The first attestor signed')
    await scene.db
      .insertInto('attestations')
      .values([
        { ...genuine, attestor: second.address.toLowerCase() }, // the first one's signature
        { ...genuine, attestor: third.address.toLowerCase(), outcome: 'failed' },
      ])
      .execute()
    await scene.track(31339)
    expect((await scene.readOrder(orderId)).order.state).toBe('CLAIMED')
    await scene.db.deleteFrom('attestations').where('attestor', '<>', genuine.attestor).execute()
    await scene.passUntil(orderId, { state: 'SETTLED' })
  })

  test('behavior: who decided once never signs another outcome', async () => {
    const orderId = await claimed()
    const { order } = await scene.readOrder(orderId)
    const [first] = attestors
    if (!first || !order.order_hash) throw new TypeError('There are three')
    const decision = {
      order_hash: order.order_hash,
      attestor: first.address.toLowerCase(),
      outcome: 'failed',
      block_number: 1,
      block_hash: '0x',
      decided_at: new Date(),
      signature: null,
    } as const
    await scene.db.insertInto('attestations').values(decision).execute()
    await scene.attest(31339, attestors.slice(0, 1))
    const rows = await scene.db
      .selectFrom('attestations')
      .selectAll()
      .where('order_hash', '=', order.order_hash)
      .execute()
    expect(rows).toMatchObject([{ outcome: 'failed', signature: null }])
    await scene.attest(31339, attestors.slice(1))
    await scene.passUntil(orderId, { state: 'SETTLED' })
  })

  test('behavior: nothing is attested before it is final', async () => {
    const wallet = await scene.createFunded(all)
    const orderId = await scene.spend(wallet, { amount: 150_000_000n, outputNetwork: 31338 })
    await scene.track(31338)
    const { order } = await scene.readOrder(orderId)
    const at = scene.balanceOn(31338)
    const network = { ...at.network, finalizedBlock: async () => BigInt(order.block_number ?? 0) - 1n }
    await attestOrders(scene.services, { ...at, network }, attestors)
    expect(
      await scene.db
        .selectFrom('attestations')
        .selectAll()
        .where('order_hash', '=', order.order_hash ?? '')
        .execute(),
    ).toEqual([])
    await scene.passUntil(orderId, { state: 'SETTLED' })
  })
})
