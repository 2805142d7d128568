import type { Migration } from 'kysely/migration'
import * as accounts from './0001-accounts.ts'
import * as passkeys from './0002-passkeys.ts'
import * as idempotency from './0003-idempotency.ts'
import * as smartBalance from './0004-smart-balance.ts'
import * as sponsorships from './0005-sponsorships.ts'
import * as apiKeys from './0006-api-keys.ts'
import * as settlement from './0007-settlement.ts'
import * as sessionKeys from './0008-session-keys.ts'
import * as nonceHolds from './0009-nonce-holds.ts'
import * as unsignedBuilds from './0010-unsigned-builds.ts'
import * as reconciliation from './0011-reconciliation.ts'
import * as buildsOwnNothing from './0012-builds-own-nothing.ts'
import * as usernameSkeletons from './0013-username-skeletons.ts'
import * as gasTopUps from './0014-gas-top-ups.ts'
import * as events from './0020-events.ts'
import * as gasPolicies from './0030-gas-policies.ts'
import * as accountLogs from './0031-account-logs.ts'
import * as longHistories from './0032-long-histories.ts'
import * as signatureCounts from './0040-signature-counts.ts'
import * as passes from './0041-passes.ts'
import * as accountVersions from './0042-account-versions.ts'
import * as accountBackoffs from './0050-account-backoffs.ts'
import * as sponsorshipPromises from './0055-sponsorship-promises.ts'
import * as purges from './0063-purges.ts'
import * as costLevels from './0067-cost-levels.ts'
import * as stricterSkeletons from './0068-stricter-skeletons.ts'
import * as relayerRefills from './0070-relayer-refills.ts'
import * as relayerLosses from './0071-relayer-losses.ts'
import * as auditLog from './0072-audit-log.ts'
import * as keyScopes from './0073-key-scopes.ts'
import * as operators from './0076-operators.ts'
import * as ownerChanges from './0082-owner-changes.ts'
import * as recoveryWatches from './0083-recovery-watches.ts'
import * as relayerGas from './0090-relayer-gas.ts'
import * as underpaidGas from './0091-underpaid-gas.ts'
import * as sessionRecords from './0094-session-records.ts'
import * as recoveries from './0095-recoveries.ts'
import * as consoleActs from './0097-console-acts.ts'
import * as accountModules from './0098-account-modules.ts'
import * as archivedOperations from './0099-archived-operations.ts'
import * as delegations from './0102-delegations.ts'
import * as sessionWarnings from './0103-session-warnings.ts'
import * as accountKinds from './0104-account-kinds.ts'
import * as listedOperations from './0106-listed-operations.ts'

/**
 * All migrations, in the order of their names. They are listed here instead of read from the folder at run
 * time, so that bundling works. A released migration never changes. There are no down migrations: restore a
 * backup instead.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-passkeys': passkeys,
  '0003-idempotency': idempotency,
  '0004-smart-balance': smartBalance,
  '0005-sponsorships': sponsorships,
  '0006-api-keys': apiKeys,
  '0007-settlement': settlement,
  '0008-session-keys': sessionKeys,
  '0009-nonce-holds': nonceHolds,
  '0010-unsigned-builds': unsignedBuilds,
  '0011-reconciliation': reconciliation,
  '0012-builds-own-nothing': buildsOwnNothing,
  '0013-username-skeletons': usernameSkeletons,
  '0014-gas-top-ups': gasTopUps,
  '0020-events': events,
  '0030-gas-policies': gasPolicies,
  '0031-account-logs': accountLogs,
  '0032-long-histories': longHistories,
  '0040-signature-counts': signatureCounts,
  '0041-passes': passes,
  '0042-account-versions': accountVersions,
  '0050-account-backoffs': accountBackoffs,
  '0055-sponsorship-promises': sponsorshipPromises,
  '0063-purges': purges,
  '0067-cost-levels': costLevels,
  '0068-stricter-skeletons': stricterSkeletons,
  '0070-relayer-refills': relayerRefills,
  '0071-relayer-losses': relayerLosses,
  '0072-audit-log': auditLog,
  '0073-key-scopes': keyScopes,
  '0076-operators': operators,
  '0082-owner-changes': ownerChanges,
  '0083-recovery-watches': recoveryWatches,
  '0090-relayer-gas': relayerGas,
  '0091-underpaid-gas': underpaidGas,
  '0094-session-records': sessionRecords,
  '0095-recoveries': recoveries,
  '0097-console-acts': consoleActs,
  '0098-account-modules': accountModules,
  '0099-archived-operations': archivedOperations,
  '0102-delegations': delegations,
  '0103-session-warnings': sessionWarnings,
  '0104-account-kinds': accountKinds,
  '0106-listed-operations': listedOperations,
}
