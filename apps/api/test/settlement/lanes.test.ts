/** @module-tag all */

import { usualEngine } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { laneCount } from '../../src/domain/operations/nonces.ts'
import { startFixture } from './settlement-fixture.ts'

test('behavior: an order whose operation is included holds no lane, even before a worker tracks it', async () => {
  await using fixture = await startFixture(usualEngine()) // the fixture runs no workers
  const wallet = await fixture.createFunded([31337])
  for (let count = 0; count <= laneCount; count++) {
    const orderId = await fixture.spend(wallet, { amount: 1_000_000n, outputNetwork: 31338 })
    expect((await fixture.readOrder(orderId)).order.state).toBe('SUBMITTED')
  }
})
