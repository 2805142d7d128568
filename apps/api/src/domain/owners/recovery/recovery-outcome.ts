import { encodeAbiParameters, type Hash, keccak256 } from 'viem'
import type { OwnershipOn } from '../ownership/read-ownership.ts'

/** A message of the module with its sequence. */
export interface Message {
  readonly sequence: bigint
  readonly hash: Hash
}

/** The head of an account after one more message. */
export const nextHead = (head: Hash, hash: Hash): Hash =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [head, hash]))

/**
 * The outcome of a recovery whose sequence a network has consumed. The head says which messages were applied, in which
 * order. If others than the known ones followed, the answer is `cancelled`; the pass looks before that.
 *
 * @param head - the account's head at the recovery's sequence
 * @param known - all messages that this service knows
 */
export function outcomeOf(
  { sequence, hash }: Message,
  head: Hash,
  state: Pick<OwnershipOn, 'sequence' | 'head'>,
  known: readonly Message[],
): 'executed' | 'cancelled' {
  let heads = [nextHead(head, hash)]
  for (let next = sequence + 1n; next < state.sequence && heads.length > 0; next++) {
    const messages = known.filter((message) => message.sequence === next)
    heads = heads.flatMap((before) => messages.map((message) => nextHead(before, message.hash)))
  }
  return heads.includes(state.head) ? 'executed' : 'cancelled'
}
