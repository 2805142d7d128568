import { type CredentialRow, type Database, mayRemoveOwners } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import { stringToHex } from 'viem'
import { findUserWallet } from '../../accounts/accounts/find-named-account.ts'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { isPasskeyOwner } from '../../accounts/owners/describe-owners.ts'
import { verificationFailed } from '../../accounts/passkeys/verification-failed.ts'

/** Kinds of changes after which an owner may be none any more. */
const removingKinds = (['removeOwner', 'replaceOwner'] as const).map((kind) =>
  stringToHex(kind, { size: 32 }),
)

interface Dependencies {
  readonly database: Kysely<Database>
  readonly networks: Networks
}

/**
 * Rejects the sign-in of a passkey that owned the account, and owns it on no network any more: whoever holds it would
 * read what belongs to the new owners. The networks are asked only if owners changed since the passkey was registered.
 *
 * @throws VERIFICATION_FAILED; NETWORK_UNAVAILABLE if a network that may still have it as an owner does not answer
 */
export async function requireCurrentPasskey(
  { database, networks }: Dependencies,
  credential: CredentialRow,
): Promise<void> {
  const wallet = await findUserWallet(database, credential.user_id)
  if (!(await mayHaveLostOwners(database, wallet, credential.created_at))) return
  if (await isPasskeyOwner(networks, wallet, credential)) return
  throw verificationFailed('this passkey no longer owns the account on any network.')
}

/**
 * Whether guardians, an owner's signature for all networks, or an operation may have removed an owner since a time. A
 * recovery counts from its last signature on, and an operation from its signature: a network may have executed it before
 * this service has seen that. Blocks have whole seconds, so theirs count from the second of that time. What was removed is
 * what the networks say.
 */
async function mayHaveLostOwners(
  database: Kysely<Database>,
  { address }: Wallet,
  time: Date,
): Promise<boolean> {
  const account = address.toLowerCase()
  const since = new Date(Math.floor(time.getTime() / 1000) * 1000)
  const found = await database
    .selectFrom('message_progress')
    .select('account')
    .where('account', '=', account)
    .where('kind', '=', 'recovery')
    .where('executed_at', '>=', since)
    .unionAll(
      database
        .selectFrom('recoveries')
        .select('account')
        .where('account', '=', account)
        .where('complete_at', '>=', since),
    )
    .unionAll(
      database
        .selectFrom('owner_changes')
        .select('account')
        .where('account', '=', account)
        .where('kind', 'in', removingKinds)
        .where('created_at', '>=', since),
    )
    .unionAll(
      database
        .selectFrom('every_operation')
        .select('account')
        .where('account', '=', account)
        .where(mayRemoveOwners)
        .where(sql<boolean>`greatest(included_at, signed_at) >= ${since}`),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
