// @promise 10
import { describe, expect, test } from 'vitest'
import { createSharing } from './shared-reads.ts'

describe('createSharing', () => {
  const start = () => {
    const clock = { now: 0 }
    const reads = createSharing(500, () => clock.now)
    const shared = reads.share<void>()
    const keysRead: string[] = []
    const ask = (key: string, answer: Promise<void> = Promise.resolve()) =>
      shared(key, () => {
        keysRead.push(key)
        return answer
      })
    return { clock, reads, keysRead, ask }
  }

  test('default: concurrent and closely following calls share one answer per key', async () => {
    const { clock, keysRead, ask } = start()
    await Promise.all([ask('a'), ask('a'), ask('b')])
    clock.now = 499
    await ask('a')
    expect(keysRead).toEqual(['a', 'b'])
    clock.now = 500
    await ask('a')
    expect(keysRead).toEqual(['a', 'b', 'a'])
  })

  test('behavior: the lifetime starts with the answer', async () => {
    const { clock, keysRead, ask } = start()
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = ask('a', promise)
    clock.now = 10_000
    const second = ask('a')
    resolve()
    await Promise.all([first, second])
    clock.now = 10_499
    await ask('a')
    expect(keysRead).toEqual(['a'])
  })

  test('behavior: waiting calls share a failure, later calls read again', async () => {
    const { keysRead, ask } = start()
    const failing = Promise.reject(new Error('no'))
    await expect(Promise.allSettled([ask('a', failing), ask('a')])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    await ask('a')
    expect(keysRead).toEqual(['a', 'a'])
  })

  test('behavior: after a clear no call gets the result of an earlier read', async () => {
    const { keysRead, ask, reads } = start()
    const before = Promise.withResolvers<void>()
    const first = ask('a', before.promise)
    reads.clear()
    await ask('a')
    before.resolve()
    await first
    expect(keysRead).toEqual(['a', 'a'])
  })

  test('behavior: at most a thousand answers are kept', async () => {
    const { keysRead, ask } = start()
    for (let index = 0; index <= 1_000; index++) await ask(String(index))
    await ask('1000')
    await ask('0')
    expect(keysRead).toHaveLength(1_002)
  })
})
