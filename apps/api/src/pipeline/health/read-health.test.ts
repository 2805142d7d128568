import { pino } from 'pino'
import { expect, test } from 'vitest'
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
