import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type Address, encodeAbiParameters, type Hash, keccak256, zeroHash } from 'viem'
import type { OwnershipState } from '../ownership/read-ownership.ts'

/** What consumes a sequence, and what it adds to the head. */
export interface Message {
  readonly sequence: bigint
  readonly hash: Hash
}

/** The head of an account after one more message. */
export const nextHead = (head: Hash, hash: Hash): Hash =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [head, hash]))

/**
 * Heads that one search computes. Guardians choose how many recoveries of a sequence are known, and each multiplies the ways
 * that the head may have taken.
 */
const maxHeads = 1_000

/** Heads that are left to compute. What one caller asks for shares them. */
export interface HeadSearch {
  left: number
}

export const createHeadSearch = (): HeadSearch => ({ left: maxHeads })

const bySequence = (messages: readonly Message[]): ReadonlyMap<bigint, readonly Message[]> =>
  Map.groupBy(messages, ({ sequence }) => sequence)

/**
 * The heads that an account may have after the messages of some sequences, the likeliest first: that of the messages that come
 * first in `known`. Ends early when the search has computed enough.
 *
 * @param from - the sequence of `head`; `to` is that of the heads
 */
function* headsAfter(
  head: Hash,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  known: ReadonlyMap<bigint, readonly Message[]>,
  search: HeadSearch,
): Generator<Hash> {
  if (from >= to) {
    yield head
    return
  }
  for (const { hash } of known.get(from) ?? []) {
    if (search.left-- <= 0) return
    yield* headsAfter(nextHead(head, hash), { from: from + 1n, to }, known, search)
  }
}

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
  state: Pick<OwnershipState, 'sequence' | 'head'>,
  known: readonly Message[],
  search = createHeadSearch(),
): 'executed' | 'cancelled' {
  const range = { from: sequence + 1n, to: state.sequence }
  for (const reached of headsAfter(nextHead(head, hash), range, bySequence(known), search)) {
    if (reached === state.head) return 'executed'
  }
  return 'cancelled'
}

/** The account's head at a recovery's sequence, of those that led to a network's head; else the likeliest; undefined: none is known. */
export function headBefore(
  recovery: Message,
  state: Pick<OwnershipState, 'sequence' | 'head'>,
  known: readonly Message[],
): Hash | undefined {
  const search = createHeadSearch()
  const all = [...known, recovery]
  let first: Hash | undefined
  for (const head of headsAfter(zeroHash, { from: 0n, to: recovery.sequence }, bySequence(known), search)) {
    first ??= head
    if (outcomeOf(recovery, head, state, all, search) === 'executed') return head
  }
  return first
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
