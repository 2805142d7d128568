import { randomUUID } from 'node:crypto'
import type { Database } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'

/**
 * Milliseconds. Longer than any signer may take (SIGNER_TIMEOUT is a minute at most): so long a process that dies while
 * its payer signs keeps a lane from others.
 */
const holdLifetime = 90_000

interface Hold {
  readonly account: string
  readonly network: number
  readonly key: bigint
}

/** Keeps a lane for a build whose payer signs now. Under the account's lock, as everything about lanes. */
export async function holdNonce(
  transaction: Transaction<Database>,
  { account, network, key }: Hold,
  now: Date,
): Promise<string> {
  const holdId = randomUUID()
  const expires_at = new Date(now.getTime() + holdLifetime)
  await transaction
    .insertInto('nonce_holds')
    .values({ hold_id: holdId, account, network, nonce_key: key, expires_at })
    .execute()
  return holdId
}

/** @returns false when it had lapsed, and the lane may be another's by now */
export async function releaseHold(connection: Kysely<Database>, holdId: string): Promise<boolean> {
  const released = await connection
    .deleteFrom('nonce_holds')
    .where('hold_id', '=', holdId)
    .returning('hold_id')
    .executeTakeFirst()
  return released !== undefined
}

/** The holds of processes that died give their lanes back. */
export async function dropLapsedHolds(
  connection: Kysely<Database>,
  account: string,
  network: number,
  now: Date,
): Promise<void> {
  await connection
    .deleteFrom('nonce_holds')
    .where('account', '=', account)
    .where('network', '=', network)
    .where('expires_at', '<=', now)
    .execute()
}
