// @promise 24
import { expect, test } from 'vitest'
import { createConnectionQueue } from './connection-queue.ts'

const caller = (name: string, cost?: number) => ({ path: [`network ${name}`, name], cost })

/** Adds one start for each caller, and returns their order. */
function orderOf(callers: readonly (ReturnType<typeof caller> | undefined)[]): readonly string[] {
  let current: (typeof callers)[number]
  const order: string[] = []
  const queue = createConnectionQueue(() => current)
  for (const one of callers) {
    current = one
    queue.add(() => order.push(one?.path.at(-1) ?? 'service'))
  }
  for (let start = queue.take(); start; start = queue.take()) start()
  return order
}

test('behavior: a known caller waits behind no caller of expensive builds, however many addresses they have', () => {
  const attackers = Array.from({ length: 250 }, (_, index) => caller(`attacker ${index}`, 12))
  const unknown = Array.from({ length: 250 }, (_, index) => caller(`unknown ${index}`))
  const order = orderOf([...attackers, ...unknown, caller('known', 0.5), undefined])
  expect(order.slice(0, 2)).toEqual(['service', 'known'])
  expect(order).toHaveLength(502)
})

test('behavior: known callers take turns, however many statements one of them has', () => {
  const many = Array.from({ length: 100 }, () => caller('many', 1))
  expect(orderOf([...many, caller('few', 1)]).indexOf('few')).toBeLessThanOrEqual(1)
})

test('behavior: a new caller waits behind few of a known one that has many', () => {
  const many = Array.from({ length: 100 }, () => caller('many', 1))
  expect(orderOf([...many, caller('new')]).indexOf('new')).toBeLessThanOrEqual(4)
})
