import { describe, expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

/** Adds tasks that are named by their group and number. */
function fill(tasks: readonly (readonly [path: string, cost: number, count?: number])[]) {
  const queue = createFairQueue<string>()
  for (const [path, cost, count = 1] of tasks)
    for (let number = 1; number <= count; number++)
      queue.add(`${path} ${number}`, { path: path.split('/'), cost })
  return queue
}

function takeAll(queue: ReturnType<typeof fill>): string[] {
  const order: string[] = []
  for (let task = queue.take(); task !== undefined; task = queue.take()) order.push(task)
  return order
}

describe('fairQueue', () => {
  test('default: groups take turns, however many tasks they have', () => {
    const queue = fill([
      ['a', 1, 4],
      ['b', 1, 2],
      ['c', 1],
    ])
    expect(takeAll(queue)).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3', 'a 4'])
  })

  test('behavior: a group with cheap tasks passes those with expensive ones while it gets no more than its part', () => {
    const queue = fill([
      ['expensive', 10, 3],
      ['cheap', 4, 6],
    ])
    const order = takeAll(queue).map((task) => task.split(' ')[0])
    expect(order).toEqual([
      ...['cheap', 'cheap', 'expensive', 'cheap', 'cheap', 'expensive', 'cheap', 'cheap', 'expensive'],
    ])
  })

  test('behavior: within a group the cheapest goes first', () => {
    const queue = createFairQueue<string>()
    queue.add('build', { path: ['a'], cost: 9 })
    queue.add('read', { path: ['a'], cost: 1 })
    expect(takeAll(queue)).toEqual(['read', 'build'])
  })

  test('behavior: people behind one address share what the address gets', () => {
    const queue = fill([
      ['office/ann', 1, 3],
      ['office/bob', 1, 1],
      ['home', 1, 3],
    ])
    expect(takeAll(queue)).toEqual([
      ...['office/ann 1', 'home 1', 'office/bob 1', 'home 2', 'office/ann 2', 'home 3', 'office/ann 3'],
    ])
  })

  test('behavior: a group that comes later gets nothing for the time before', () => {
    const queue = fill([
      ['a', 1, 20],
      ['b', 1, 20],
    ])
    for (let count = 0; count < 10; count++) queue.take()
    for (let number = 1; number <= 10; number++) queue.add(`late ${number}`, { path: ['late'], cost: 1 })
    const next = Array.from({ length: 9 }, () => queue.take()?.split(' ')[0])
    expect(next.filter((group) => group === 'late')).toHaveLength(3)
  })

  test('behavior: one ordinary task passes 64 groups that wait with expensive ones', () => {
    const queue = fill(Array.from({ length: 64 }, (_, group) => [`attacker ${group}`, 54, 4] as const))
    for (let count = 0; count < 100; count++) queue.take()
    queue.add('ordinary', { path: ['ordinary'], cost: 10 })
    expect(queue.take()).toBe('ordinary')
  })

  test('behavior: thousands of groups that come and go leave nothing, and the order of others stays', () => {
    const queue = fill([['a', 1, 1_000]])
    const order: (string | undefined)[] = []
    for (let number = 0; number < 999; number++) {
      queue.add('passing', { path: [`${number}`], cost: 1 })
      order.push(queue.take(), queue.take())
    }
    expect(order.filter((task) => task === 'passing')).toHaveLength(999)
    expect(queue.size).toBe(1)
  })

  test('behavior: the one to reject is the last of the group that waits with most', () => {
    const queue = fill([
      ['a', 1, 2],
      ['expensive', 50, 2],
      ['b', 1],
    ])
    expect(queue.drop()).toBe('expensive 2')
    queue.delete('a 2')
    queue.delete('not there')
    expect(queue.size).toBe(3)
    expect(takeAll(queue)).toEqual(['a 1', 'b 1', 'expensive 1'])
  })
})
