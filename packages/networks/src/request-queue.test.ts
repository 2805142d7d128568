import { expect, test } from 'vitest'
import { createRequestQueue, withReservedShare } from './request-queue.ts'

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
