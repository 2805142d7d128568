import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runSerially } from './recognise-signature.ts'

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
