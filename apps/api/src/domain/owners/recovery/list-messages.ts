import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { listSignedChanges } from '../ownership/signed-change.ts'
import { listRecoveries } from './recovery.ts'
import type { Message } from './recovery-outcome.ts'

/** Everything that owners and guardians of an account signed at this service. */
export async function listMessages(
  database: Kysely<Database>,
  account: Address,
): Promise<readonly Message[]> {
  const [changes, recoveries] = await Promise.all([
    listSignedChanges(database, account),
    listRecoveries(database, account),
  ])
  return [...changes, ...recoveries]
}
