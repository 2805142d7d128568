import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sharedInTurn } from './shared.ts'

test('default: callers in one event-loop turn share an answer, which is requested after all of them', async () => {
  let head = 0
  const ask = sharedInTurn(async () => ++head)
  const first = [ask(), ask(), Promise.resolve().then(ask)]
  expect(head).toBe(0)
  expect(await Promise.all(first)).toEqual([1, 1, 1])
})

test('behavior: a caller during a request gets a newer answer', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let request = 0
  const ask = sharedInTurn(() => answers[request++]?.promise ?? Promise.reject(new Error('There are two')))
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
  const ask = sharedInTurn(async () => {
    if (isAway) throw new Error('away')
    return 'back'
  })
  const outcomes = await Promise.allSettled([ask(), ask()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await ask()).toBe('back')
})
