import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { otherGuardians } from './use-ownership.ts'

const set = (hash: `0x${string}`) => ({ hash })
const network = (id: number, more: object) => ({ network: id, status: 'up' as const, ...more })
const find = (...networks: ReturnType<typeof network>[]) => otherGuardians({ networks }, '0x01')

test('default: the same guardians everywhere are not named', () => {
  expect(find(network(1, { current: set('0x01') }), network(2, {}))).toEqual([])
})

test('behavior: those who count on some networks only, and those who count later, once for all networks', () => {
  const later = { ...set('0x03'), from: 20 }
  expect(
    find(
      network(1, { current: set('0x01'), next: later }),
      network(2, { current: set('0x02'), next: { ...later, from: 10 } }),
    ),
  ).toEqual([
    { hash: '0x03', guardians: undefined, networks: [1, 2], from: 10 },
    { hash: '0x02', guardians: undefined, networks: [2], from: undefined },
  ])
})

test('behavior: nothing is left to remove where the same guardians or none follow', () => {
  const next = (hash: `0x${string}`) => ({ current: set('0x01'), next: { ...set(hash), from: 10 } })
  expect(find(network(1, next('0x01')), network(2, next(zeroHash)))).toEqual([])
})
