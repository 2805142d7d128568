import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createCallCosts } from './call-costs.ts'

const metrics = { addGauge: () => {}, countCost: () => {}, countExhausted: () => {} }

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: services on one database share the pace of a network of addresses',
  async () => {
    await using database = await freshDatabase('postgresql')
    const closing = new AbortController()
    const env = {
      RATE_LIMITS: 'on',
      RATE_LIMIT_KEY_FACTOR: 20,
      RATE_LIMIT_BUILD_BYTES: 1_000_000,
      NODE_ENV: 'production',
    } as const
    const log = createLog({ LOG_LEVEL: 'silent' })
    const services = [0, 1].map(() =>
      createCallCosts({
        env: { ...env, RATE_LIMIT_COST: undefined },
        pool: database.pool,
        log,
        metrics,
        closing: closing.signal,
      }),
    )
    /** A build of one of the network's addresses, which takes a second of a processor. */
    async function build(service: number, last: number): Promise<void> {
      const call = services[service]?.begin({
        caller: { kind: 'address', name: `203.0.113.${last}` },
        buckets: ['builds'],
        bodyBytes: 0,
        isGone: () => false,
      })
      await call?.start()
      call?.meter.addTime(1_000)
      call?.end({ received: 0, sent: 0 })
    }
    await Promise.all([build(0, 1), build(1, 2)])
    const paces = () => database.pool?.query(`select name from cost_levels where name like 'pace:%'`)
    await expect
      .poll(async () => (await paces())?.rows)
      .toEqual([{ name: expect.stringMatching(/^pace:address:203\.0\.113/) }])
    closing.abort()
  },
)
