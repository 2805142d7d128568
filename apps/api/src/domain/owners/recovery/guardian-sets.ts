import {
  decodeOwnerChange,
  encodeOwnerChange,
  type GuardianSet,
  getGuardianSetHash,
  noGuardians,
  toGuardianSet,
} from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import { asInvalidInput } from '../ownership/to-owner-change.ts'

/** The guardians that this service knows, by the hash that a network stores. */
export type KnownGuardians = ReadonlyMap<Hash, GuardianSet>

const { kind } = encodeOwnerChange({ kind: 'setGuardians', guardians: noGuardians })

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
    .where('kind', '=', kind)
    .unionAll(
      database.selectFrom('guardian_sets').select('data').where('account', '=', account.toLowerCase()),
    )
    .execute()
  // The columns hold what was encoded here.
  const sets = rows.flatMap(({ data }) => readGuardiansOf({ kind, data: data as Hex }) ?? [])
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
}

/** The guardians that a change sets; undefined for another change. */
export function readGuardiansOf(change: { readonly kind: Hex; readonly data: Hex }): GuardianSet | undefined {
  if (change.kind !== kind) return undefined
  const decoded = decodeOwnerChange(change)
  return decoded.kind === 'setGuardians' ? decoded.guardians : undefined
}
