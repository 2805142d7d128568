import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lowPriorityQueue, runSerially } from './comparing-turns.ts'

test('runSerially: the event loop runs between two tasks, and a failure does not stop the others', async () => {
  const done: string[] = []
  const other = (async () => {
    for (let turn = 0; turn < 3; turn++) {
      await setImmediate()
      done.push('other')
    }
  })()
  const tasks = ['a', 'b', 'c'].map((name) =>
    runSerially(async () => {
      done.push(name)
      if (name === 'b') throw new TypeError('b')
    }),
  )
  const settled = await Promise.allSettled([...tasks, other])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(done.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c'])
  expect(done.indexOf('other')).toBeLessThan(done.indexOf('c'))
})

test('inSpareTime: callers alternate, no matter how many tasks one of them has', async () => {
  const done: string[] = []
  const add = (caller: string) =>
    lowPriorityQueue(caller, async () => {
      done.push(caller)
    })
  const much = Array.from({ length: 20 }, () => add('much'))
  await Promise.all([add('little'), add('little')])
  // At most two tasks of the other caller run before each of its own.
  expect(done.filter((caller) => caller === 'much').length).toBeLessThanOrEqual(4)
  await Promise.all(much)
  expect(done).toHaveLength(22)
})

test('inSpareTime: returns the result of the task and continues after a failure', async () => {
  const failing = lowPriorityQueue('a', () => Promise.reject(new TypeError('no')))
  await expect(failing).rejects.toThrow('no')
  expect(await lowPriorityQueue('a', async () => 7)).toBe(7)
})
