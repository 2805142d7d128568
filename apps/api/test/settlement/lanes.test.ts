import { expect, test } from 'vitest'
import { laneCount } from '../../src/domain/operations/lanes.ts'
import { startScene } from './scene.ts'

test('behavior: an order whose operation is included holds no lane, whether or not a worker has looked', async () => {
  await using scene = await startScene('pglite') // without workers
  const wallet = await scene.createFunded([31337])
  for (let count = 0; count <= laneCount; count++) {
    const orderId = await scene.spend(wallet, { amount: 1_000_000n, outputNetwork: 31338 })
    expect((await scene.readOrder(orderId)).order.state).toBe('SUBMITTED')
  }
})
