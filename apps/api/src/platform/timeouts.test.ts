import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withTimeout } from './timeouts.ts'

/** Blocks the event loop. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('behavior: a blocked event loop does not count as silence', async () => {
  const answer = withTimeout(50, delay(10, 'answer'))
  block(200)
  expect(await answer).toBe('answer')
})

test('behavior: several blocked turns do not count either', async () => {
  const answered = (async () => {
    for (let turn = 0; turn < 4; turn++) {
      await delay(1)
      block(60)
    }
    return 'answer'
  })()
  expect(await withTimeout(50, answered)).toBe('answer')
})

test('error: INTERNAL when there is no answer', async () => {
  await expect(withTimeout(20, new Promise(() => {}))).rejects.toThrow('No answer within 20 ms.')
})

test('error: a rejection passes through', async () => {
  await expect(withTimeout(20, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
