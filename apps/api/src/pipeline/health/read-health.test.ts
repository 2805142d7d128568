import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createConnectionQueue } from '../../platform/load/connection-queue.ts'
import type { Meter } from '../../platform/load/meter.ts'
import { runInRequest } from '../../platform/log/current-request.ts'
import { createSharedReads } from '../shared-reads.ts'
import { readReadiness } from './read-health.ts'

const log = pino({ level: 'silent' })

test.each([
  ['ready', () => Promise.resolve()],
  ['down', () => Promise.reject(new Error('no'))],
] as const)(
  'behavior: %s: however many probes come, the database is asked once a second',
  async (status, ping) => {
    const clock = { now: 0 }
    let pings = 0
    const services = {
      sharedReads: createSharedReads(0, () => clock.now),
      pingDatabase: () => {
        pings++
        return ping()
      },
      closing: new AbortController().signal,
    }
    const probe = () => readReadiness(services, log)
    for (clock.now = 0; clock.now < 1_000; clock.now += 10) {
      expect(await probe()).toBe(status)
      services.sharedReads.clear() // after an inclusion
    }
    expect(pings).toBe(1)
    await probe()
    expect(pings).toBe(2)
  },
)

test('behavior: a probe waits behind no caller for a connection, also if a caller started it', async () => {
  const queue = createConnectionQueue()
  const ask = (name: string) => new Promise<string>((answer) => queue.add(() => answer(name)))
  const inRequest = (name: string, cost: number, next: () => void) => {
    const meter = { nodeUser: () => ({ path: [name, name], cost }) } as unknown as Meter
    runInRequest({ requestId: name, meter }, next)
  }
  const order: string[] = []
  inRequest('known', 0.5, () => void ask('known').then((name) => order.push(name)))
  const services = {
    sharedReads: createSharedReads(0),
    pingDatabase: async () => void order.push(await ask('ping')),
    closing: new AbortController().signal,
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  inRequest('attacker', 12, () => resolve(readReadiness(services, log)))
  await Promise.resolve()
  for (let start = queue.take(); start; start = queue.take()) start()
  expect(await promise).toBe('ready')
  expect(order).toEqual(['ping', 'known'])
})
