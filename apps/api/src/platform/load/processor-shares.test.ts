import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createProcessorShares, type Share } from './processor-shares.ts'

test('behavior: calls that run together share the time by their weights', () => {
  let spent = 0
  const shares = createProcessorShares(() => spent)
  spent = 5 // nobody runs
  const small = shares.begin(1)
  spent += 10
  const large = shares.begin(9)
  spent += 100
  expect(large.end()).toBe(90)
  spent += 3
  expect(small.end()).toBe(10 + 10 + 3)
  expect(small.end()).toBe(23) // once
})

test('behavior: a call that waits is not charged for what others do', () => {
  let spent = 0
  const shares = createProcessorShares(() => spent)
  const [waiting, other] = [shares.begin(5), shares.begin(5)]
  const resume = waiting.pause()
  waiting.pause()()
  spent += 10
  resume()
  spent += 2
  expect([waiting.end(), other.end()]).toEqual([expect.closeTo(1), expect.closeTo(11)])
})

test('behavior: all shares together are all the time while a call runs', () => {
  const step = fc.record({ begins: fc.integer({ min: 1, max: 300 }), ends: fc.nat(9), spends: fc.nat(1_000) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let spent = 0
      let shared = 0
      const shares = createProcessorShares(() => spent)
      const running: Share[] = []
      for (const { begins, ends, spends } of steps) {
        running.push(shares.begin(begins))
        spent += spends
        shared += running.splice(ends % running.length, 1)[0]?.end() ?? 0
      }
      // Between two steps somebody may run or not; all that run are ended here.
      const left = running.map((share) => share.end()).reduce((sum, used) => sum + used, 0)
      expect(shared + left).toBeCloseTo(spent, 3)
    }),
  )
})
