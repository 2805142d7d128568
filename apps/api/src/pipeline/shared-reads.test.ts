import { describe, expect, test } from 'vitest'
import { createSharedReads } from './shared-reads.ts'

describe('createSharedReads', () => {
  const start = () => {
    const clock = { now: 0 }
    const reads = createSharedReads(500, () => clock.now)
    const asked: string[] = []
    const ask = (key: string, answer: Promise<void> = Promise.resolve()) =>
      reads.database(key, () => {
        asked.push(key)
        return answer
      })
    return { clock, reads, asked, ask }
  }

  test('default: those who ask at once and soon after share one answer, each key its own', async () => {
    const { clock, asked, ask } = start()
    await Promise.all([ask('a'), ask('a'), ask('b')])
    clock.now = 499
    await ask('a')
    expect(asked).toEqual(['a', 'b'])
    clock.now = 500
    await ask('a')
    expect(asked).toEqual(['a', 'b', 'a'])
  })

  test('behavior: the time counts from the answer', async () => {
    const { clock, asked, ask } = start()
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = ask('a', promise)
    clock.now = 10_000
    const second = ask('a')
    resolve()
    await Promise.all([first, second])
    clock.now = 10_499
    await ask('a')
    expect(asked).toEqual(['a'])
  })

  test('behavior: a failure is shared by those who wait for it, and then forgotten', async () => {
    const { asked, ask } = start()
    const failing = Promise.reject(new Error('no'))
    await expect(Promise.allSettled([ask('a', failing), ask('a')])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    await ask('a')
    expect(asked).toEqual(['a', 'a'])
  })

  test('behavior: after a change nobody gets what was being read before it', async () => {
    const { asked, ask, reads } = start()
    const before = Promise.withResolvers<void>()
    const first = ask('a', before.promise)
    reads.clear()
    await ask('a')
    before.resolve()
    await first
    expect(asked).toEqual(['a', 'a'])
  })

  test('behavior: it keeps a thousand answers', async () => {
    const { asked, ask } = start()
    for (let index = 0; index <= 1_000; index++) await ask(String(index))
    await ask('1000')
    await ask('0')
    expect(asked).toHaveLength(1_002)
  })
})
