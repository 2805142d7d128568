/** @module-tag all */

import { usualEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attestOrders } from '../../src/domain/smart-balance/settlement/attest-orders.ts'
import { createExposureWatch, readExposure } from '../../src/domain/smart-balance/settlement/exposure.ts'
import { attestors, type Fixture, startFixture } from './settlement-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture(usualEngine())
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const exposureOf = async (chainId: number) =>
  (await readExposure(fixture.services)).find(({ network }) => network === chainId)

test('default: exposure of an order is reserved, then lent, then due on the source, then zero', async () => {
  const wallet = await fixture.createFunded([31337])
  const liquidity = await fixture.liquidityOf(31338)
  const spending = { amount: 50_000_000n, outputNetwork: 31338 }
  const { orderId, signature } = await fixture.build(wallet, spending)
  expect(await exposureOf(31338)).toEqual({
    network: 31338,
    liquidity,
    reserved: 50_000_000n,
    lent: 0n,
    due: 0n,
  })
  await fixture.submit({ walletAddress: wallet.address, signature })
  await fixture.track(31338)
  expect(await exposureOf(31338)).toMatchObject({
    liquidity: liquidity - 50_000_000n,
    reserved: 0n,
    lent: 50_000_000n,
  })
  await fixture.finalize(31338)
  await fixture.attest(31338)
  await fixture.track(31338)
  const { order } = await fixture.readOrder(orderId)
  expect(await exposureOf(31337)).toMatchObject({ due: order.claim_amount + order.fee })

  const logged = fixture.logged.length
  let now = Date.now()
  const watch = createExposureWatch({
    ...fixture.services,
    now: () => new Date(now),
    env: { LIQUIDITY_WARNING: 0, EXPOSURE_WARNING: 49 },
  })
  for (let round = 0; round < 3; round++) {
    await watch()
    now += 60_000
  }
  const warnings = () =>
    fixture.logged.slice(logged).filter(({ msg }) => msg === 'a lot is lent and not yet collected')
  expect(warnings()).toMatchObject([{ network: '31338', lent: '50000000' }])

  await fixture.passUntil(orderId, { state: 'SETTLED' })
  expect(await exposureOf(31338)).toMatchObject({ reserved: 0n, lent: 0n, due: 0n })
  expect(await exposureOf(31337)).toMatchObject({ reserved: 0n, lent: 0n, due: 0n })
  const metrics = await fixture.services.metrics.text()
  expect(metrics).toContain('lanyard_lent_units')
  expect(metrics).toMatch(/lanyard_liquidity_units\{network="31338"\} \d+/)
})

test('error: NO_SMART_BALANCE if the contract is not the configured one', async () => {
  const wallet = await fixture.createFunded([31337])
  const orderId = await fixture.spend(wallet, { amount: 50_000_000n, outputNetwork: 31338 })
  await fixture.track(31338)
  await fixture.finalize(31338)
  const { network, contract } = fixture.balanceOn(31338)
  const other = { ...contract, address: network.config.entryPoint }
  await expect(attestOrders(fixture.services, { network, contract: other }, attestors)).rejects.toMatchObject(
    {
      code: 'NO_SMART_BALANCE',
    },
  )
  await fixture.passUntil(orderId, { state: 'SETTLED' })
})
