import type { Kysely } from 'kysely'
import { createAccountLogs } from './first-release/account-logs.ts'
import { createAccounts } from './first-release/accounts.ts'
import { createAlarms } from './first-release/alarms.ts'
import { createEvents } from './first-release/events.ts'
import { createIdentities } from './first-release/identities.ts'
import { createLedger } from './first-release/ledger.ts'
import { createOperations } from './first-release/operations.ts'
import { createOperators } from './first-release/operators.ts'
import { createOwners } from './first-release/owners.ts'
import { createRelayers } from './first-release/relayers.ts'
import { createRequests } from './first-release/requests.ts'
import { createSmartBalance } from './first-release/smart-balance.ts'
import { createSponsorships } from './first-release/sponsorships.ts'

/** The schema of 0.1.0, by subject. Later tables refer to earlier ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db)
  await createOperations(db)
  await createRelayers(db)
  await createRequests(db)
  await createSponsorships(db)
  await createSmartBalance(db)
  await createEvents(db)
  await createAccountLogs(db)
  await createOwners(db)
  await createOperators(db)
  await createAlarms(db)
  await createLedger(db)
  await createIdentities(db)
}
