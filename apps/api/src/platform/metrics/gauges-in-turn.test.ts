import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('behavior: gauges that read the database wait for each other, and for no other gauge', async () => {
  const metrics = createMetrics(pino({ level: 'silent' }))
  let [running, most] = [0, 0]
  const read = async () => {
    most = Math.max(most, ++running)
    await new Promise((done) => setImmediate(done))
    running--
    return [{ labels: {}, value: 1 }]
  }
  const failing = async () => {
    await read()
    throw new Error('no answer')
  }
  const gauge = { help: 'a gauge', labels: [], ofDatabase: true } as const
  metrics.addGauge({ ...gauge, name: 'one', read })
  metrics.addGauge({ ...gauge, name: 'failing', read: failing })
  metrics.addGauge({ ...gauge, name: 'another', read })
  // The chain does not answer: its gauge keeps none of the others from being read.
  let answer = () => {}
  const answered = new Promise<void>((done) => {
    answer = done
  })
  const ofChain = { name: 'balance', help: 'a balance', labels: [] }
  metrics.addGauge({ ...ofChain, read: () => answered.then(() => [{ labels: {}, value: 2 }]) })
  const text = metrics.text()
  await expect.poll(() => most).toBe(1)
  answer()
  expect(await text).toContain('lanyard_another 1')
  expect(await text).toContain('lanyard_balance 2')
  expect(most).toBe(1)
})
