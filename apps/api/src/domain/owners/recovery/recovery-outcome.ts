import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type Address, encodeAbiParameters, type Hash, keccak256 } from 'viem'
import type { OwnershipOn } from '../ownership/read-ownership.ts'

/** What consumes a sequence, and what it adds to the head. */
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

/** Whether a network has executed a recovery of this sequence, so that a change of it would split the networks. */
export async function isExecuted(
  database: Kysely<Database>,
  account: Address,
  sequence: bigint,
): Promise<boolean> {
  const row = await database
    .selectFrom('message_progress as progress')
    .innerJoin('recoveries as recovery', (join) =>
      join.onRef('recovery.account', '=', 'progress.account').onRef('recovery.hash', '=', 'progress.hash'),
    )
    .select('progress.network')
    .where('progress.account', '=', account.toLowerCase())
    .where('recovery.sequence', '=', sequence)
    .where('progress.state', '=', 'executed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an owner signed a change of this sequence here, which cancels each recovery of it on every network. */
export async function isSuperseded(
  database: Kysely<Database>,
  account: Address,
  sequence: bigint,
): Promise<boolean> {
  const change = await database
    .selectFrom('owner_changes')
    .select('hash')
    .where('account', '=', account.toLowerCase())
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return change !== undefined
}
