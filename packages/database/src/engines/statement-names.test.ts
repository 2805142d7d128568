import { expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

test('default: a statement gets a name when it is used a second time', () => {
  const names = createStatementNames()
  expect(['a', 'b', 'a', 'b', 'a'].map(names.of)).toEqual([
    undefined,
    undefined,
    'lanyard_0_0',
    'lanyard_0_1',
    'lanyard_0_0',
  ])
})

test('behavior: the number of names is bounded, however many statements there are', () => {
  const names = createStatementNames()
  for (let index = 0; index < 5_000; index++) expect(names.of(`once ${index}`)).toBeUndefined()
  const named = Array.from({ length: 5_000 }, (_, index) => [
    names.of(`twice ${index}`),
    names.of(`twice ${index}`),
  ])
  expect(new Set(named.flat()).size).toBe(501)
})

test('behavior: renewing changes the names', () => {
  const names = createStatementNames()
  const nameTwice = () => [names.of('a'), names.of('a')].at(-1)
  expect(nameTwice()).toBe('lanyard_0_0')
  names.renew()
  expect(nameTwice()).toBe('lanyard_1_0')
})
