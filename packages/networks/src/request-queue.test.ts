import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createRequestQueue, sharedSerially, withReservedShare } from './request-queue.ts'

describe('requestQueue', () => {
  test('behavior: a tenth of the places is reserved for signed operations, which go first', async () => {
    const queue = createRequestQueue({ concurrency: 10, capacity: 10, timeout: 60_000 })
    const held = Promise.withResolvers<void>()
    const begun: string[] = []
    const ask = (name: string) =>
      queue.run(async () => {
        begun.push(name)
        await held.promise
      })
    const builds = Array.from({ length: 19 }, (_, index) => ask(`build ${index}`))
    await expect(ask('one too many')).rejects.toMatchObject({ name: 'QueueFullError' })
    expect({ active: queue.active, waiting: queue.waiting }).toEqual({ active: 9, waiting: 10 })
    const signed = [withReservedShare(() => ask('signed')), withReservedShare(() => ask('signed, next'))]
    expect(begun).toHaveLength(10)
    expect(begun.at(-1)).toBe('signed')
    held.resolve()
    await Promise.all([...builds, ...signed])
    expect(begun.indexOf('signed, next')).toBe(10)
    expect({ active: queue.active, waiting: queue.waiting }).toEqual({ active: 0, waiting: 0 })
  })

  test('behavior: a rest that ends while turns are given keeps no costly simulation back', async () => {
    // The clock jumps at its n-th reading after a costly one has ended. The first two measure it, the others look at the rest.
    for (const reading of [3, 4, 5]) {
      let now = 0
      let readings = Number.POSITIVE_INFINITY
      const clock = () => {
        if (--readings === 0) now += 1e9
        return now
      }
      const queue = createRequestQueue({ concurrency: 10, capacity: 100, timeout: 60_000, clock })
      const caller = { call: {}, path: ['one'], cost: 6 }
      const usual = async (elapsed: number) =>
        queue.run(
          async () => {
            now += elapsed
          },
          { kind: 'simulation', caller: { ...caller, cost: 1 } },
        )
      const held = Promise.withResolvers<void>()
      const costly = [held.promise, undefined, undefined].map((wait) =>
        queue.run(async () => await wait, { kind: 'costly', caller }),
      )
      for (let count = 0; count < 5; count++) await usual(1)
      for (let count = 0; count < 300 && queue.limits.costly >= 1; count++) await usual(50)
      expect(queue.limits.costly).toBeLessThan(1)
      now += 5
      readings = reading
      held.resolve()
      await Promise.all(costly)
      expect(queue.waiting).toBe(0)
    }
  })
})

describe('sharedSerially', () => {
  test('default: callers in one event-loop turn share an answer, which is requested after all of them', async () => {
    let head = 0
    const ask = sharedSerially(async () => ++head)
    const first = [ask(), ask(), Promise.resolve().then(ask)]
    expect(head).toBe(0)
    expect(await Promise.all(first)).toEqual([1, 1, 1])
  })

  test('behavior: a caller during a request gets a newer answer', async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    let request = 0
    const ask = sharedSerially(
      () => answers[request++]?.promise ?? Promise.reject(new Error('There are two')),
    )
    const first = ask()
    await setImmediate()
    await setImmediate()
    const second = ask()
    answers[1]?.resolve('newer')
    expect(await second).toBe('newer')
    answers[0]?.resolve('older')
    expect(await first).toBe('older')
  })

  test('error: a failure reaches only the callers who shared the request', async () => {
    let isAway = true
    const ask = sharedSerially(async () => {
      if (isAway) throw new Error('away')
      return 'back'
    })
    const outcomes = await Promise.allSettled([ask(), ask()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isAway = false
    expect(await ask()).toBe('back')
  })
})
