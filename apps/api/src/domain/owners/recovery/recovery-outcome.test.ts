import { type Hash, keccak256, toHex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { headBefore, type Message, nextHead, outcomeOf } from './recovery-outcome.ts'

const hashOf = (name: string) => keccak256(toHex(name))

/** A change of an owner at each sequence, and what each of sixteen guardians alone signed there. */
function messagesOf(sequences: number): readonly Message[] {
  const at = (name: string) =>
    Array.from({ length: sequences }, (_, sequence) => ({
      sequence: BigInt(sequence),
      hash: hashOf(`${name} ${sequence}`),
    }))
  return [...at('change'), ...Array.from({ length: 16 }, (_, guardian) => at(`guardian ${guardian}`)).flat()]
}

const headAfter = (messages: readonly Message[]) =>
  messages.reduce<Hash>((head, { hash }) => nextHead(head, hash), zeroHash)

const recovery = { sequence: 3n, hash: hashOf('recovery') }

test('default: the head says whether a recovery was executed', () => {
  const changes = messagesOf(6).slice(0, 6)
  const applied = [...changes.slice(0, 3), recovery, ...changes.slice(4)]
  const before = headAfter(changes.slice(0, 3))
  const executed = { sequence: 6n, head: headAfter(applied) }
  expect(outcomeOf(recovery, before, executed, changes)).toBe('executed')
  expect(headBefore(recovery, executed, changes)).toBe(before)
  const cancelled = { sequence: 6n, head: headAfter(changes) }
  expect(outcomeOf(recovery, before, cancelled, changes)).toBe('cancelled')
  // Unknown messages in between.
  expect(outcomeOf(recovery, before, { ...executed, sequence: 2n ** 62n }, changes)).toBe('cancelled')
})

/* Sixteen guardians sign one recovery each, at each sequence of their own account: seventeen ways at each of thirty. */
test('attack: what guardians alone signed does not multiply the search', () => {
  const messages = messagesOf(30)
  const changes = messages.slice(0, 30)
  const before = headAfter(changes.slice(0, 3))
  const unknown = { sequence: 30n, head: hashOf('of an unknown message') }
  expect(outcomeOf(recovery, before, unknown, messages)).toBe('cancelled')
  expect(headBefore({ ...recovery, sequence: 29n }, unknown, messages)).toBe(headAfter(changes.slice(0, 29)))
  const applied = [...changes.slice(0, 3), recovery, ...changes.slice(4)]
  expect(outcomeOf(recovery, before, { sequence: 30n, head: headAfter(applied) }, messages)).toBe('executed')
})
