// @promise 4
import { expect, test, vi } from 'vitest'
import { type CircuitChange, createCircuit } from './endpoint-state.ts'

class Dead extends Error {}

/** A circuit with its own clock, around an endpoint that a test can disable. */
function start() {
  let clock = 0
  let dead = false
  const changes: CircuitChange[] = []
  const endpoint = vi.fn(async () => {
    if (dead) throw new Dead()
    return 'answer'
  })
  const probe = vi.fn(async () => {
    if (dead) throw new Dead()
  })
  const circuit = createCircuit({
    now: () => clock,
    probe,
    isFailure: (error) => error instanceof Dead,
    changed: (change) => changes.push(change),
  })
  const run = () => circuit.run(endpoint)
  const fail = async (times: number) => {
    dead = true
    for (let time = 0; time < times; time++) await expect(run()).rejects.toThrow(Dead)
  }
  return {
    circuit,
    endpoint,
    probe,
    changes,
    run,
    fail,
    advance: (milliseconds: number) => {
      clock += milliseconds
    },
    die: () => {
      dead = true
    },
    heal: () => {
      dead = false
    },
  }
}

test('default: is closed, and requests are answered', async () => {
  const { circuit, run } = start()
  expect(await run()).toBe('answer')
  expect(circuit.isOpen).toBe(false)
})

test('behavior: opens after three failures in a row, and sends no more requests', async () => {
  const { circuit, run, fail, endpoint, probe, changes } = start()
  await fail(3)
  expect(circuit.isOpen).toBe(true)
  await expect(run()).rejects.toMatchObject({ name: 'CircuitOpenError' })
  expect(endpoint).toHaveBeenCalledTimes(3)
  expect(probe).not.toHaveBeenCalled()
  expect(changes).toEqual([{ state: 'open', pause: 1_000 }])
})

test('behavior: an answer or an error response resets the count', async () => {
  const { circuit, run, fail, heal } = start()
  await fail(2)
  heal()
  await run()
  await fail(2)
  await expect(circuit.run(() => Promise.reject(new TypeError('an answer')))).rejects.toThrow(TypeError)
  await fail(2)
  expect(circuit.isOpen).toBe(false)
})

test('behavior: requests that fail together with one error count once', async () => {
  const { circuit } = start()
  const error = new Dead()
  const batch = Array.from({ length: 10 }, () => circuit.run(() => Promise.reject(error)))
  await Promise.allSettled(batch)
  expect(circuit.isOpen).toBe(false)
})

test('behavior: after the pause, one probe decides for all callers; pauses grow to thirty seconds', async () => {
  const { run, fail, advance, probe, changes, endpoint } = start()
  await fail(3)
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    expect(changes.at(-1)).toEqual({ state: 'open', pause })
    advance(pause - 1)
    await expect(run()).rejects.toMatchObject({ name: 'CircuitOpenError' })
    advance(1)
    const request = probe.mock.calls.length
    const all = await Promise.allSettled([run(), run(), run()])
    expect(all.map((one) => one.status === 'rejected' && one.reason)).toEqual(
      [1, 2, 3].map(() => expect.any(Dead)),
    )
    expect(probe.mock.calls.length).toBe(request + 1)
  }
  expect(endpoint).toHaveBeenCalledTimes(3)
})

test('behavior: a successful probe closes it, and waiting callers are answered', async () => {
  const { circuit, run, fail, advance, heal, changes } = start()
  await fail(3)
  heal()
  advance(1_000)
  expect(await Promise.all([run(), run()])).toEqual(['answer', 'answer'])
  expect(circuit.isOpen).toBe(false)
  expect(changes).toEqual([{ state: 'open', pause: 1_000 }, { state: 'closed' }])
  await fail(2)
  expect(circuit.isOpen).toBe(false)
})

test('behavior: an answer to a request in progress closes it', async () => {
  const { circuit, fail } = start()
  const slow = Promise.withResolvers<string>()
  const underWay = circuit.run(() => slow.promise)
  await fail(3)
  slow.resolve('late')
  expect(await underWay).toBe('late')
  expect(circuit.isOpen).toBe(false)
})

test('behavior: a clock that is set back does not prolong the pause', async () => {
  const { run, fail, advance, heal } = start()
  await fail(3)
  heal()
  advance(-3_600_000)
  expect(await run()).toBe('answer')
})
