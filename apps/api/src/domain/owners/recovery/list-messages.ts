import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { toHeadMessages } from '../messages/next-messages.ts'
import { listSignedChanges } from '../ownership/signed-change.ts'
import { listRecoveries } from './recovery.ts'
import type { Message } from './recovery-outcome.ts'

/** What owners and guardians of an account signed at this service, as a head contains it. */
export async function listMessages(
  database: Kysely<Database>,
  account: Address,
): Promise<readonly Message[]> {
  const [changes, recoveries] = await Promise.all([
    listSignedChanges(database, account),
    listRecoveries(database, account),
  ])
  return toHeadMessages([...changes, ...recoveries])
}
