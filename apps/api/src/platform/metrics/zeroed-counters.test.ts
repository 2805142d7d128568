import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createZeroedCounters } from './zeroed-counters.ts'

test('behavior: what a process counts before its first reading is shown by the second, so that it is an increase', async () => {
  const { counter, announce, read } = createZeroedCounters(new Registry())
  const count = counter({ name: 'losses', help: 'of a network', subject: 'network' })
  announce('network', { network: 1 })
  count({ network: 1 }, 3)
  count({ network: 1 }, 2)
  expect(await read()).toContain('losses{network="1"} 0')
  expect(await read()).toContain('losses{network="1"} 5')
  count({ network: 1 })
  expect(await read()).toContain('losses{network="1"} 6')
})

test('behavior: a series that is announced later shows 0 first as well', async () => {
  const { counter, announce, read } = createZeroedCounters(new Registry())
  const count = counter({
    ...{ name: 'refusals', help: 'of a policy', subject: 'policy' },
    values: [{ reason: 'spent' }, { reason: 'denied' }],
  })
  await read()
  announce('policy', { policy: 'new' })
  count({ policy: 'new', reason: 'spent' })
  expect(await read()).toContain('refusals{policy="new",reason="spent"} 0')
  const text = await read()
  expect(text).toContain('refusals{policy="new",reason="spent"} 1')
  expect(text).toContain('refusals{policy="new",reason="denied"} 0')
})

test('behavior: two readings at once count it once', async () => {
  const { counter, read } = createZeroedCounters(new Registry())
  const count = counter({ name: 'calls', help: 'of the process', subject: 'process' })
  count({}, 2)
  await Promise.all([read(), read()])
  expect(await read()).toContain('calls 2')
})
