import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

function setUp(lag = 0) {
  const state = { lag }
  const admission = createAdmission({ read: () => state.lag })
  const started: string[] = []
  const enter = (name: string, usedPart: number, isLarge = false, isGone = () => false) =>
    admission.enter({ usedPart: () => usedPart, isLarge, isGone }).then((leave) => {
      started.push(name)
      return leave
    })
  return { state, admission, started, enter }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('behavior: without lag everyone starts at once', async () => {
  const { enter, started } = setUp()
  for (let count = 0; count < 20; count++) await enter('a', 0.9)
  expect(started).toHaveLength(20)
})

test('behavior: under lag, callers who used little do not wait behind those who used much', async () => {
  const { enter, started } = setUp(150)
  const leaves = await Promise.all(Array.from({ length: 4 }, () => enter('costly', 0.9)))
  void enter('costliest', 0.95)
  void enter('costly too', 0.5)
  await enter('ordinary', 0.05)
  expect(started).toEqual([...Array(4).fill('costly'), 'ordinary'])
  for (const leave of leaves.slice(0, 1)) leave()
  await settle()
  expect(started.at(-1)).toBe('costly too')
})

test('behavior: two large calls run at once, and those of the cheapest callers first', async () => {
  const { enter, started, admission } = setUp()
  const [first] = await Promise.all([enter('a', 0.5, true), enter('a', 0.5, true)])
  void enter('a', 0.6, true)
  void enter('gone', 0, true, () => true).catch(() => started.push('refused'))
  void enter('b', 0.1, true)
  await enter('small', 0.9)
  expect(admission.waiting).toBe(3)
  first?.()
  first?.()
  await settle()
  expect(started).toEqual(['a', 'a', 'small', 'b', 'refused'])
})

test('error: RATE_LIMITED for the costliest when too many wait', async () => {
  const { enter, admission } = setUp()
  await Promise.all([enter('a', 0, true), enter('a', 0, true)])
  const refused = enter('costliest', 0.99, true).catch((error: unknown) => error)
  for (let count = 0; count < 256; count++) void enter('b', 0.2, true).catch(() => {})
  expect(await refused).toMatchObject({ code: 'RATE_LIMITED' })
  expect(admission.waiting).toBe(256)
})
