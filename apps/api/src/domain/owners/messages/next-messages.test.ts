import { stringToHex, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import type { SignedChange } from '../ownership/signed-change.ts'
import type { GuardianMessage } from '../recovery/recovery.ts'
import { chooseNext, hasEnded, isReplaced } from './next-messages.ts'

const hashOf = (name: string) => stringToHex(name, { size: 32 })

const change = (sequence: bigint, kind = 'addOwner'): SignedChange => ({
  ...{ sequence, kind: hashOf(kind), hash: hashOf(`change ${sequence}`) },
  ...{ data: '0x', signature: '0x', sentBy: 'shop' },
})

const guardians = (sequence: bigint, number: bigint, isComplete = true): GuardianMessage => ({
  ...{ sequence, number, isComplete, hash: hashOf(`recovery ${sequence} ${number}`) },
  ...{ account: '0x0000000000000000000000000000000000000001', head: zeroHash, sentBy: 'shop' },
  ...{ createdAt: new Date(0), target: { newOwners: [], newThreshold: 1n, result: zeroHash } },
})
const cancellation = (sequence: bigint, number: bigint): GuardianMessage => ({
  ...guardians(sequence, number),
  ...{ target: undefined, hash: hashOf(`cancellation ${sequence} ${number}`) },
})
const runs = (message: GuardianMessage) => ({ hash: message.hash, readyAt: 0 })
const none = { recovery: undefined }

describe('chooseNext', () => {
  test('default: changes that follow each other, at most eight', () => {
    const changes = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n].map((sequence) => change(sequence))
    expect(chooseNext(changes, { ...none, sequence: 1n })).toEqual(changes.slice(1, 9))
    expect(chooseNext([change(1n), change(3n)], { ...none, sequence: 1n })).toEqual([change(1n)])
    expect(chooseNext([change(2n)], { ...none, sequence: 1n })).toEqual([])
  })

  test('behavior: what comes after a cancellation waits while a recovery runs', () => {
    const changes = [change(1n), change(2n, 'cancel'), change(3n)]
    expect(chooseNext(changes, { ...none, sequence: 1n })).toEqual(changes)
    const recovery = runs(guardians(1n, 1n))
    expect(chooseNext(changes, { sequence: 1n, recovery })).toEqual(changes.slice(0, 2))
  })

  test('behavior: a change of an owner comes before guardians of the same sequence', () => {
    const signed = [change(1n), guardians(1n, 1n)]
    expect(chooseNext(signed, { ...none, sequence: 1n })).toEqual([change(1n)])
    expect(chooseNext(signed, { ...none, sequence: 2n })).toEqual([])
  })

  test('behavior: what enough guardians signed last counts', () => {
    const signed = [guardians(1n, 1n), cancellation(1n, 2n), guardians(1n, 3n, false), guardians(2n, 9n)]
    expect(chooseNext(signed, { ...none, sequence: 1n })).toEqual([cancellation(1n, 2n)])
  })
})

describe('hasEnded', () => {
  const at = (sequence: bigint, number = 0n, recovery?: GuardianMessage) => ({
    ...{ sequence, number, recovery: recovery && runs(recovery) },
  })

  test.each([
    ['a change that is next', change(1n), at(1n), false],
    ['a change that came later', change(2n), at(1n), false],
    ['a change that is consumed', change(1n), at(2n), true],
    ['a recovery that is next', guardians(1n, 1n), at(1n), false],
    ['a recovery that runs', guardians(1n, 1n), at(1n, 1n, guardians(1n, 1n)), false],
    ['a recovery that was replaced', guardians(1n, 1n), at(1n, 2n, guardians(1n, 2n)), true],
    ['a recovery that was taken back or has lapsed', guardians(1n, 1n), at(1n, 1n), true],
    ['a recovery whose sequence is consumed', guardians(1n, 1n), at(2n), true],
    ['a cancellation that is next', cancellation(1n, 1n), at(1n, 1n, guardians(1n, 1n)), false],
    ['a cancellation that is done', cancellation(1n, 1n), at(1n, 1n), true],
    ['a cancellation of a lower number', cancellation(1n, 1n), at(1n, 2n, guardians(1n, 2n)), true],
  ] as const)('args: %s', (_, message, state, expected) => {
    expect(hasEnded(message, state)).toBe(expected)
  })
})

test('isReplaced: by what enough guardians signed with a higher number of the same sequence', () => {
  const one = guardians(1n, 1n)
  expect(isReplaced(one, [one, cancellation(1n, 2n)])).toBe(true)
  for (const others of [[guardians(1n, 2n, false)], [guardians(2n, 2n)], [change(1n)], []])
    expect(isReplaced(one, [one, ...others])).toBe(false)
  expect(isReplaced(change(1n), [guardians(1n, 2n)])).toBe(false)
})
