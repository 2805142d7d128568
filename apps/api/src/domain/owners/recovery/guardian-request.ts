import { randomUUID } from 'node:crypto'
import type { AccountOwner } from '@lanyard/accounts'
import { type EndpointOutput, type endpoints, LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Address } from 'viem'
import { nameOwner } from './list-guardians.ts'

/** Milliseconds for which a request is shown to guardians. */
const lifetime = 7 * 24 * 60 * 60_000

/** Requests of one account in a day, whichever of its logins asks. */
const maxPerDay = 3
const day = 24 * 60 * 60_000

export type GuardianRequest = EndpointOutput<typeof endpoints.identity.askGuardians>

interface NewRequest {
  readonly identity: { readonly id: string; readonly issuer: string }
  readonly account: Address
  readonly newOwner: AccountOwner
  /** A network on which the account has guardians. */
  readonly network: number
  readonly now: Date
}

/**
 * Writes what a login asks the guardians of its account for. The event tells the owner in the same statement.
 *
 * @throws RATE_LIMITED after three in a day
 */
export async function requestGuardians(
  transaction: Transaction<Database>,
  { identity, account, newOwner, network, now }: NewRequest,
): Promise<GuardianRequest> {
  const key = account.toLowerCase()
  // Requests of one account wait for each other, so that each counts.
  await transaction.selectFrom('accounts').select('address').where('address', '=', key).forUpdate().execute()
  const recent = await transaction
    .selectFrom('guardian_requests')
    .select('requested_at')
    .where('account', '=', key)
    .where('requested_at', '>', new Date(now.getTime() - day))
    .orderBy('requested_at')
    .execute()
  const [first] = recent
  if (first && recent.length >= maxPerDay) {
    throw new LanyardError('RATE_LIMITED', {
      message: 'The guardians of this account were asked three times today. Call them.',
      details: { retryAfter: Math.ceil((first.requested_at.getTime() + day - now.getTime()) / 1000) },
    })
  }
  await transaction.deleteFrom('guardian_requests').where('expires_at', '<=', now).execute()
  const owner = nameOwner(newOwner)
  const expires_at = new Date(now.getTime() + lifetime)
  await transaction
    .insertInto('guardian_requests')
    .values({
      ...{ id: randomUUID(), identity_id: identity.id, account: key, new_owner: JSON.stringify(owner) },
      ...{ network, issuer: identity.issuer, requested_at: now, expires_at },
    })
    .execute()
  return {
    ...{ newOwner: owner, issuer: identity.issuer },
    ...{ requestedAt: now.toISOString(), expiresAt: expires_at.toISOString() },
  }
}

/** The newest request of an account that has not ended. */
export async function findGuardianRequest(
  database: Kysely<Database>,
  account: Address,
  now: Date,
): Promise<GuardianRequest | undefined> {
  const row = await database
    .selectFrom('guardian_requests')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .where('expires_at', '>', now)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      newOwner: row.new_owner as GuardianRequest['newOwner'], // written above, in this form
      issuer: row.issuer,
      requestedAt: row.requested_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    }
  )
}
