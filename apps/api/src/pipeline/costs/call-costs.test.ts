import { costTable } from '@lanyard/contracts'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createCallCosts } from './call-costs.ts'
import { costOf } from './prices.ts'

test.each(['processor', 'received', 'sent', 'gas'] as const)('behavior: %s alone costs something', (part) => {
  const nothing = { processor: 0, received: 0, sent: 0, gas: 0n }
  expect(costOf(nothing)).toBe(0)
  expect(costOf({ ...nothing, [part]: part === 'gas' ? 1_000_000n : 1_024 })).toBeGreaterThan(0)
})

const metrics: Parameters<typeof createCallCosts>[0]['metrics'] = {
  addGauge: () => {},
  countCost: () => {},
  countExhausted: () => {},
}

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: services on one database share what addresses and networks used, their pace and their space',
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
    const costs: number[] = []
    const services = [0, 1].map(() =>
      createCallCosts({
        env: { ...env, RATE_LIMIT_COST: undefined },
        pool: database.pool,
        log,
        metrics: { ...metrics, countCost: ({ seconds }) => costs.push(seconds * 1_000) },
        closing: closing.signal,
      }),
    )
    // The pace counts while others have calls.
    const others = services.map(({ begin }) =>
      begin({
        caller: { kind: 'address', name: '192.0.2.1' },
        buckets: ['calls'],
        bodyBytes: 0,
        isGone: () => false,
      }),
    )
    await Promise.all(others.map((call) => call.start()))
    /** A build of one of the network's addresses, which takes more of a processor than a build may cost. */
    async function build(service: number, last: number): Promise<void> {
      const call = services[service]?.begin({
        caller: { kind: 'address', name: `203.0.113.${last}` },
        buckets: ['builds'],
        bodyBytes: 0,
        isGone: () => false,
      })
      await call?.start()
      call?.meter.reserveSpace('builds', 300_000).charge(300_000)
      call?.meter.addTime(1_500)
      call?.end({ received: 0, sent: 0 })
    }
    await Promise.all([build(0, 1), build(1, 2)])
    expect(costs).toEqual([costTable.builds.most, costTable.builds.most])
    const levels = () => database.pool?.query<{ name: string }>('select name from cost_levels order by name')
    await expect
      .poll(async () => (await levels())?.rows.map(({ name }) => name))
      .toEqual([
        'address:203.0.113.1',
        'address:203.0.113.2',
        'builds:address:203.0.113.1',
        'builds:address:203.0.113.2',
        'builds:network:203.0.113',
        'pace:address:203.0.113',
      ])
    // The server's own time is not measured.
    const read = { caller: { kind: 'address', name: '198.51.100.1' }, bodyBytes: 0 } as const
    services[0]?.begin({ ...read, buckets: ['reads'], isGone: () => false }).end({ received: 0, sent: 0 })
    expect(costs.at(-1)).toBeGreaterThanOrEqual(costTable.reads.database)
    closing.abort()
  },
)

const inMemory = (RATE_LIMIT_COST: number, counted: Partial<typeof metrics> = {}) =>
  createCallCosts({
    env: {
      RATE_LIMITS: 'on',
      RATE_LIMIT_COST,
      RATE_LIMIT_KEY_FACTOR: 20,
      RATE_LIMIT_BUILD_BYTES: 1_000_000,
      NODE_ENV: 'production',
    },
    pool: undefined,
    log: createLog({ LOG_LEVEL: 'silent' }),
    metrics: { ...metrics, ...counted },
    closing: new AbortController().signal,
  })

test('behavior: a body is paid for in advance, and the deposit comes back', () => {
  const { begin } = inMemory(150)
  const send = (bodyBytes: number) =>
    begin({
      caller: { kind: 'address', name: '203.0.113.1' },
      buckets: ['builds'],
      bodyBytes,
      isGone: () => false,
    })
  const first = send(256 * 1024)
  expect(() => send(256 * 1024)).toThrow(/share of the service/)
  first.end({ received: 0, sent: 0 })
  send(256 * 1024).end({ received: 0, sent: 0 })
})

test('behavior: calls that only the body names have deposits of their own, and may cost as much as any others', async () => {
  const costs: number[] = []
  const { begin } = inMemory(20_000, { countCost: ({ seconds }) => costs.push(seconds * 1_000) })
  const send = (more: number) => {
    const call = begin({
      caller: { kind: 'address', name: '203.0.113.1' },
      buckets: ['builds'],
      bodyBytes: 0,
      isGone: () => false,
    })
    call.meter.addCalls(Array<'builds'>(more).fill('builds'))
    return call
  }
  const end = { received: 0, sent: 0 }
  const running = Array.from({ length: 200 }, () => send(9)) // of ten milliseconds each: all of the allowance
  expect(() => send(9)).toThrow(/share of the service/)
  for (const call of running) call.end(end)
  const dear = send(9)
  dear.meter.addTime(60_000)
  dear.end(end)
  expect(costs.at(-1)).toBe(10 * costTable.builds.most)
})

test('behavior: while the event loop is late, callers who cost much wait for each other, and nobody else', async () => {
  const { begin } = inMemory(6_000)
  const started: string[] = []
  /** The deposit of a hundred builds is a sixth of what an address may use. */
  const of = (name: string, builds: number) => ({
    name,
    call: begin({
      caller: { kind: 'address', name },
      buckets: Array<'builds'>(builds).fill('builds'),
      bodyBytes: 0,
      isGone: () => false,
    }),
  })
  const calls = [1, 2, 3, 4, 5].map((network) => of(`203.0.${network}.1`, 100))
  const known = of('198.51.100.1', 1)
  known.call.meter.addGas(200_000n)
  calls.push(known)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200) // blocks the event loop
  const starting = calls.map(async ({ name, call }) => {
    await call.start()
    started.push(name)
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(started.toSorted()).toEqual(['198.51.100.1', '203.0.1.1', '203.0.2.1', '203.0.3.1', '203.0.4.1'])
  calls[0]?.call.end({ received: 0, sent: 0 })
  await Promise.all(starting)
  for (const { call } of calls) call.end({ received: 0, sent: 0 })
})

test('behavior: a person with a token shares with those behind the same address, and the one who used least goes first', async () => {
  const { begin } = inMemory(6_000)
  const started: string[] = []
  const call = (name = '203.0.113.1') =>
    begin({ caller: { kind: 'address', name }, buckets: ['builds'], bodyBytes: 0, isGone: () => false })
  const end = { received: 0, sent: 0 }
  // Alone, an address would use what is idle. Another group has a call in progress.
  await call('198.51.100.1').start('other')
  /** One build of an address runs, so the others wait. */
  const running = call()
  await running.start('heavy')
  const waiting = ['heavy', 'light', undefined].map((person) => ({ call: call(), person }))
  const starting = waiting.map(async ({ call: one, person }) => {
    await one.start(person)
    started.push(person ?? 'unknown')
    one.end(end)
  })
  running.meter.addTime(500)
  running.end(end)
  await Promise.all(starting)
  expect(started).toEqual(['light', 'unknown', 'heavy'])
  expect(running.meter.nodeUser().path).toEqual([
    'address:203.0.113',
    'address:203.0.113.1',
    'person:203.0.113.1 heavy',
  ])
})

test('behavior: what the last simulations of a caller cost is what the next one is expected to cost', () => {
  const { begin } = inMemory(60_000)
  const simulate = (name: string, gas: bigint) => {
    const call = begin({
      caller: { kind: 'address', name },
      buckets: ['builds'],
      bodyBytes: 0,
      isGone: () => false,
    })
    const { cost } = call.meter.nodeUser()
    call.meter.addGas(gas)
    call.end({ received: 0, sent: 0 })
    return cost
  }
  const unknown = simulate('203.0.113.1', 12_500_000n)
  const expensive = simulate('203.0.113.1', 200_000n)
  expect([unknown, expensive]).toEqual([undefined, 6.25])
  // One cheap simulation does not make the next one cheap, and six do.
  expect(simulate('203.0.113.1', 200_000n)).toBeGreaterThan(3)
  for (let count = 0; count < 5; count++) simulate('203.0.113.1', 200_000n)
  expect(simulate('203.0.113.1', 0n)).toBeLessThan(1)
  simulate('198.51.100.1', 200_000n)
  expect(simulate('198.51.100.1', 0n)).toBeLessThan(1)
})

test('behavior: who sends an expensive simulation is known for it at once, and the neighbours with a token are not', async () => {
  const { begin } = inMemory(60_000)
  const start = async (person?: string) => {
    const call = begin({
      caller: { kind: 'address', name: '203.0.113.1' },
      buckets: ['builds'],
      bodyBytes: 0,
      isGone: () => false,
    })
    void call.start(person)
    return call
  }
  const neighbour = await start('neighbour')
  neighbour.meter.addGas(200_000n)
  const attacker = await start('attacker')
  attacker.meter.addGas(12_500_000n)
  expect((await start('attacker')).meter.nodeUser().cost).toBe(6.25)
  expect((await start('neighbour')).meter.nodeUser().cost).toBeLessThan(1)
})
