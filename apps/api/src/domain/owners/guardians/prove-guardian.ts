import { getGuardianProofHash, type PasskeyOwner } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { findGuardians } from '../recovery/guardian-sets.ts'
import { checkSignature } from '../recovery/guardian-signature.ts'
import { makeGuardianCheckDue } from './guardian-check-due.ts'
import { encodeGuardianPasskey, findGuardianPasskey, requireSignerOf } from './guardian-passkey.ts'

/** Seconds by which a guardian's clock may be ahead. */
const clockTolerance = 300

/** What a guardian signed to show that they can sign. */
export interface GivenProof {
  readonly guardian: Address
  /** Unix seconds. */
  readonly time: number
  readonly signature: Hex
  readonly key: PasskeyOwner | undefined
}

/**
 * Keeps that a guardian showed that they can sign, by the same check as a recovery. Only for a guardian in a set that an
 * owner signed, so an account has at most as many rows as it named guardians.
 *
 * @throws NOT_A_GUARDIAN, INVALID_SIGNATURE, INVALID_INPUT, NETWORK_UNAVAILABLE
 */
export async function proveGuardian(
  {
    database,
    networks,
    now,
  }: {
    readonly database: Kysely<Database>
    readonly networks: Networks
    readonly now: () => Date
  },
  module: Address,
  { address: account }: Wallet,
  { guardian, time, signature, key: given }: GivenProof,
): Promise<void> {
  if (time > now().getTime() / 1000 + clockTolerance) {
    const message = 'This time is in the future. Check the clock of the device.'
    throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'time', message }] })
  }
  if (given) requireSignerOf(guardian, given)
  const sets = [...(await findGuardians(database, account)).values()]
  const isNamed = sets.some(({ members }) => members.some((member) => isAddressEqual(member, guardian)))
  if (!isNamed) throw new LanyardError('NOT_A_GUARDIAN')
  const key = given ?? (await findGuardianPasskey(database, guardian))
  const hash = getGuardianProofHash({ account, guardian, time })
  await checkSignature(networks, module, { guardian, hash, signature, chainId: undefined, key })
  const provenAt = new Date(time * 1000)
  const before = await findProof(database, account, guardian)
  if (before && before >= provenAt) return
  await rememberGuardian(database, { account, guardian, key, provenAt })
  // Only the first proof ends a problem. A check asks each guardian's contract on each network, which no caller pays for.
  if (!before) await makeGuardianCheckDue(database, account, now())
}

async function findProof(
  database: Kysely<Database>,
  account: Address,
  guardian: Address,
): Promise<Date | undefined> {
  const row = await database
    .selectFrom('known_guardians')
    .select('proven_at')
    .where('account', '=', account.toLowerCase())
    .where('guardian', '=', guardian.toLowerCase())
    .executeTakeFirst()
  return row?.proven_at ?? undefined
}

/** Keeps what is known of a guardian. What was known before stays: the user of a passkey that is removed is named by it. */
export async function rememberGuardian(
  database: Kysely<Database>,
  {
    account,
    guardian,
    key,
    provenAt,
  }: {
    readonly account: Address
    readonly guardian: Address
    readonly key: PasskeyOwner | undefined
    /** Undefined: they showed nothing. */
    readonly provenAt: Date | undefined
  },
): Promise<void> {
  const signer = guardian.toLowerCase()
  await database
    .insertInto('known_guardians')
    .values(({ selectFrom }) => ({
      ...{ account: account.toLowerCase(), guardian: signer, proven_at: provenAt ?? null },
      key: key ? encodeGuardianPasskey(key) : null,
      user_id: selectFrom('credentials').select('user_id').where('signer', '=', signer),
    }))
    .onConflict((conflict) =>
      conflict.columns(['account', 'guardian']).doUpdateSet({
        key: sql`coalesce(excluded.key, known_guardians.key)`,
        user_id: sql`coalesce(excluded.user_id, known_guardians.user_id)`,
        proven_at: sql`greatest(excluded.proven_at, known_guardians.proven_at)`,
      }),
    )
    .execute()
}
