import {
  decodeOwnerChange,
  encodeOwnerChange,
  type GuardianSet,
  getGuardianSetHash,
  toGuardianSet,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { makeGuardianCheckDue, setGuardiansKind } from '../guardians/guardian-check-due.ts'
import { type OwnershipState, readOwnership } from '../ownership/read-ownership.ts'
import type { SignedChange } from '../ownership/signed-change.ts'
import { asInvalidInput } from '../ownership/to-owner-change.ts'

/** The guardians that this service knows, by the hash that a network stores. */
export type KnownGuardians = ReadonlyMap<Hash, GuardianSet>

/**
 * The guardians of an account that an owner set here, or that somebody told this service.
 *
 * @param given - guardians that a request names; what a network stores decides whether they count
 * @throws INVALID_INPUT for guardians outside the bounds
 */
export async function findGuardians(
  database: Kysely<Database>,
  account: Address,
  given?: GuardianSet,
): Promise<KnownGuardians> {
  const rows = await database
    .selectFrom('owner_changes')
    .select('data')
    .where('account', '=', account.toLowerCase())
    .where('kind', '=', setGuardiansKind)
    .unionAll(
      database.selectFrom('guardian_sets').select('data').where('account', '=', account.toLowerCase()),
    )
    .execute()
  // The columns hold what was encoded here.
  const sets = rows.flatMap(
    ({ data }) => readGuardiansOf({ kind: setGuardiansKind, data: data as Hex }) ?? [],
  )
  if (given) sets.push(asInvalidInput('guardians', () => toGuardianSet(given)))
  return new Map(sets.map((set) => [getGuardianSetHash(set), set]))
}

/** Keeps guardians that a network has in force. */
export async function keepGuardians(
  database: Kysely<Database>,
  account: Address,
  guardians: GuardianSet,
  now: Date,
): Promise<void> {
  const { data } = encodeOwnerChange({ kind: 'setGuardians', guardians })
  await database
    .insertInto('guardian_sets')
    .values({ account: account.toLowerCase(), hash: getGuardianSetHash(guardians), data, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await makeGuardianCheckDue(database, account, now)
}

/** The guardians that a change sets; undefined for another change. */
export function readGuardiansOf(change: { readonly kind: Hex; readonly data: Hex }): GuardianSet | undefined {
  if (change.kind !== setGuardiansKind) return undefined
  const decoded = decodeOwnerChange(change)
  return decoded.kind === 'setGuardians' ? decoded.guardians : undefined
}

/** An account on a network that answered, with its guardians if this service knows them. */
export interface GuardianState {
  readonly network: Network
  readonly state: OwnershipState
  readonly guardians: GuardianSet | undefined
  /** Unix seconds of the block that was read. */
  readonly timestamp: number
}

/**
 * Reads an account with its guardians at the newest block.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readGuardianState(
  network: Network,
  module: Address,
  wallet: Wallet,
  known: KnownGuardians,
): Promise<GuardianState> {
  const { number, timestamp } = await network.head()
  const state = await readOwnership(network, module, wallet, number)
  const guardians = state.guardians && known.get(state.guardians)
  return { network, state, guardians, timestamp: Number(timestamp) }
}

/** An account's state on each network that has the module and answers. */
export async function readGuarded(
  { database, networks }: { readonly database: Kysely<Database>; readonly networks: Networks },
  module: Address,
  wallet: Wallet,
  given?: GuardianSet,
): Promise<readonly GuardianState[]> {
  const known = await findGuardians(database, wallet.address, given)
  const answers = await onEachNetwork(networks, async (network) =>
    network.config.ownership === module ? readGuardianState(network, module, wallet, known) : undefined,
  )
  return answers.flatMap((answer) => (answer && 'state' in answer ? [answer] : []))
}

/**
 * The networks on which the account has guardians, the one with the most changes first.
 *
 * @throws NETWORK_UNAVAILABLE, NO_GUARDIANS
 */
export function requireGuarded(
  answers: readonly GuardianState[],
): readonly [GuardianState, ...GuardianState[]] {
  if (answers.length === 0) throw new LanyardError('NETWORK_UNAVAILABLE')
  const [first, ...rest] = answers
    .filter(({ state }) => state.enabled && state.guardians !== undefined)
    .sort((a, b) => Number(b.state.sequence - a.state.sequence))
  if (!first) throw new LanyardError('NO_GUARDIANS')
  return [first, ...rest]
}

/**
 * The networks on which a sequence is not consumed, with the guardians who count there once what owners signed before it has
 * arrived. Those of a network that lags decide nothing about a later sequence.
 */
export function withGuardiansAt(
  guarded: readonly GuardianState[],
  sequence: bigint,
  changes: readonly SignedChange[],
): readonly GuardianState[] {
  return guarded
    .filter(({ state }) => state.sequence <= sequence)
    .map((on) => {
      const set = changes
        .filter((change) => change.sequence >= on.state.sequence && change.sequence < sequence)
        .map(readGuardiansOf)
        .findLast((found) => found !== undefined)
      return set ? { ...on, guardians: set.members.length > 0 ? set : undefined } : on
    })
}
