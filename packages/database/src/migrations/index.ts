import type { Migration } from 'kysely/migration'
import * as accounts from './0001-accounts.ts'
import * as operations from './0002-operations.ts'
import * as relayers from './0003-relayers.ts'
import * as requests from './0004-requests.ts'
import * as sponsorships from './0005-sponsorships.ts'
import * as smartBalance from './0006-smart-balance.ts'
import * as events from './0007-events.ts'
import * as accountLogs from './0008-account-logs.ts'
import * as owners from './0009-owners.ts'
import * as operators from './0010-operators.ts'
import * as usernameSkeletons from './0011-username-skeletons.ts'
import * as ownerQueues from './0012-owner-queues.ts'
import * as unprovenOperations from './0013-unproven-operations.ts'
import * as unprovenAccounts from './0014-unproven-accounts.ts'
import * as progressByAccount from './0015-progress-by-account.ts'
import * as messageProgress from './0016-message-progress.ts'
import * as alarms from './0017-alarms.ts'
import * as archivePartitions from './0018-archive-partitions.ts'
import * as auditDeliveries from './0019-audit-deliveries.ts'
import * as operatorIdentities from './0020-operator-identities.ts'
import * as ledger from './0021-ledger.ts'
import * as cancellationsFirst from './0022-cancellations-first.ts'
import * as importedAccounts from './0023-imported-accounts.ts'
import * as identities from './0024-identities.ts'
import * as deployedElsewhere from './0025-deployed-elsewhere.ts'
import * as projects from './0026-projects.ts'
import * as tokenFees from './0027-token-fees.ts'

/**
 * All migrations, in the order of their names. They are listed here instead of read from the folder at run
 * time, so that bundling works. A released migration never changes. There are no down migrations: restore a
 * backup instead.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-operations': operations,
  '0003-relayers': relayers,
  '0004-requests': requests,
  '0005-sponsorships': sponsorships,
  '0006-smart-balance': smartBalance,
  '0007-events': events,
  '0008-account-logs': accountLogs,
  '0009-owners': owners,
  '0010-operators': operators,
  '0011-username-skeletons': usernameSkeletons,
  '0012-owner-queues': ownerQueues,
  '0013-unproven-operations': unprovenOperations,
  '0014-unproven-accounts': unprovenAccounts,
  '0015-progress-by-account': progressByAccount,
  '0016-message-progress': messageProgress,
  '0017-alarms': alarms,
  '0018-archive-partitions': archivePartitions,
  '0019-audit-deliveries': auditDeliveries,
  '0020-operator-identities': operatorIdentities,
  '0021-ledger': ledger,
  '0022-cancellations-first': cancellationsFirst,
  '0023-imported-accounts': importedAccounts,
  '0024-identities': identities,
  '0025-deployed-elsewhere': deployedElsewhere,
  '0026-projects': projects,
  '0027-token-fees': tokenFees,
}
