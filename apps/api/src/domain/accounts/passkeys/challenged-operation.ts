import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { challengeLifetime } from './challenges.ts'
import { bytesOfBase64Url } from './encodings.ts'
import { verificationFailed } from './verification-failed.ts'

/**
 * Finds the operation whose SafeOp hash a response signs. The operation's own row holds the challenge, so a
 * user may have any number of pending operations.
 *
 * @throws VERIFICATION_FAILED when no operation of this account was built for a passkey with this challenge
 */
export async function findChallengedOperation(
  database: Kysely<Database>,
  account: Address,
  challenge: string,
): Promise<OperationRow> {
  const operationHash = `0x${Buffer.from(bytesOfBase64Url(challenge)).toString('hex')}`
  const row = await database
    .selectFrom('operations')
    .selectAll()
    .where('safe_op_hash', '=', operationHash)
    .where('account', '=', account.toLowerCase())
    .where('sign_mode', '=', 'WEBAUTHN')
    .executeTakeFirst()
  if (!row) throw verificationFailed("its challenge does not belong to an operation of this user's wallet.")
  return row
}

/**
 * A challenge is valid for one assertion and five minutes. The build itself stays valid longer, because it
 * does not block its nonce.
 *
 * @throws VERIFICATION_FAILED
 */
export function requireUnused(row: OperationRow, now: Date): void {
  if (row.signature !== null) throw verificationFailed('its challenge was used before.')
  if (row.built_at.getTime() + challengeLifetime <= now.getTime()) {
    throw verificationFailed('its challenge expired after five minutes. Build the operation again.')
  }
}
