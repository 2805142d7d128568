import { randomUUID } from 'node:crypto'
import type { Database } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'

/** Milliseconds. Longer than any signer may take: SIGNER_TIMEOUT is at most one minute. */
const holdLifetime = 90_000

interface Hold {
  readonly account: string
  readonly network: number
  readonly key: bigint
  readonly builtBy: string
}

/**
 * Holds the nonce of a build while its payer signs, so that parallel builds of the same caller get other
 * lanes.
 */
export async function holdNonce(
  transaction: Transaction<Database>,
  { account, network, key, builtBy }: Hold,
  now: Date,
): Promise<string> {
  const holdId = randomUUID()
  const expires_at = new Date(now.getTime() + holdLifetime)
  await transaction
    .insertInto('nonce_holds')
    .values({ hold_id: holdId, account, network, nonce_key: key, built_by: builtBy, expires_at })
    .execute()
  return holdId
}

export async function releaseHold(connection: Kysely<Database>, holdId: string): Promise<void> {
  await connection.deleteFrom('nonce_holds').where('hold_id', '=', holdId).execute()
}
