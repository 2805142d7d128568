export { type Alarm, deleteAlarms, endAlarms, raiseAlarms, readAlarms } from './alarms.ts'
export { claimPass, moveClaim } from './claim-pass.ts'
export type { ConnectionQueue } from './engines/fair-pool.ts'
export { isUnavailable, isUniqueViolation } from './errors.ts'
export {
  type AccountLog,
  beginLook,
  deleteAccountLogs,
  endLook,
  findUnfinishedLogs,
  hasSubscribers,
  type LogPage,
  readSubscribedAccounts,
  recordLogPage,
  startLooking,
  stopLooking,
  watchAccount,
} from './events/account-logs.ts'
export { publishEvents } from './events/publish-events.ts'
export {
  deleteEvents,
  type EventQuery,
  type PublishedEvent,
  readEvents,
  readLastPosition,
  readOperationEvents,
} from './events/read-events.ts'
export { inTransaction } from './in-transaction.ts'
export {
  type AccountLedger,
  type Admission,
  admitToLedger,
  findBehind,
  findLedgerAccounts,
  type LedgerCandidate,
  listCandidates,
  listLedgerAccounts,
  readAccountLedgers,
  readLedgerNetwork,
  readLedgerProgress,
  resetLedger,
  scheduleLedger,
  startLedger,
} from './ledger/ledger-accounts.ts'
export {
  type LedgerPosition,
  type LedgerRow,
  readLedgerEntries,
  readReceived,
} from './ledger/read-ledger.ts'
export {
  type Balances,
  findUnreconciled,
  type LedgerEntry,
  reconcileLedger,
  recordEarlierPage,
  recordLedgerPage,
} from './ledger/record-ledger.ts'
export type { DatabaseLog } from './log.ts'
export { migrate } from './migrate.ts'
export { nextAttempt } from './next-attempt.ts'
export { olderThan, type PageEnd, pageEnd } from './older-than.ts'
export { type OpenDatabaseOptions, openDatabase } from './open-database.ts'
export type { Engine, OpenDatabase } from './opened-database.ts'
export {
  type ArchivePosition,
  archiveOperations,
  findArchivableNetworks,
  findDetachedMonths,
} from './operations/archive-operations.ts'
export {
  backOff,
  dropSubmitted,
  keepWaiting,
  type ReadVersion,
  recordAttempts,
  recordBundle,
  rowVersion,
  unprovenInFlight,
} from './operations/bundle-queue.ts'
export { deleteBuilds } from './operations/delete-builds.ts'
export {
  dropDeployed,
  dropReplaced,
  isDroppedAsDeployed,
  restoreUndeployed,
} from './operations/drop-operations.ts'
export { insertBuild, insertPlainBuild, restoreTerms, type SignedTerms } from './operations/insert-build.ts'
export {
  mayRemoveOwners,
  type OperationReference,
  type ReadOperation,
  readOperation,
} from './operations/read-operation.ts'
export {
  beginDelivery,
  type OperationReason,
  recordRejection,
  recordSubmitted,
  recordUnsent,
  scheduleDelivery,
} from './operations/record-delivery.ts'
export {
  endOperation,
  finalizeBlocks,
  forgetSignature,
  type OperationEnd,
  type OperationInclusion,
  recordInclusion,
  recordReorg,
} from './operations/record-inclusion.ts'
export {
  countSignature,
  countUnresolvedNonces,
  findConflictingOperation,
  maxUnresolvedNonces,
  recordPlainSignature,
  recordSignature,
} from './operations/record-signature.ts'
export {
  debtColumns,
  forgiveDebts,
  hasPaid,
  listDebts,
  lostByCaller,
  lostSince,
  purgeLosses,
  recordLosses,
} from './operations/relayer-losses.ts'
export { repairInclusion, repairMissingInclusion } from './operations/repair-operation.ts'
export { closeLateReservations, closeOrders, expireOrder } from './orders/close.ts'
export { closeCosignatures, recordCosignature } from './orders/cosign.ts'
export { isOrderHeld, isOrderNonceUsed, isOrderSigned } from './orders/held-orders.ts'
export { deleteOrders } from './orders/purge.ts'
export { recordAttested, recordOrderOutcome } from './orders/record-outcome.ts'
export {
  repairOrderOutcome,
  returnReorgedOrder,
} from './orders/reopen.ts'
export { reserveOrderRow } from './orders/reserve.ts'
export {
  closeDebit,
  lockDueDebits,
  openDebitStates,
  recordDebitsSent,
  recordSettlementTransaction,
  scheduleDebit,
  settleDebit,
} from './orders/settle-debit.ts'
export {
  extendReservation,
  recordAcceptedSignature,
  recordOrderOperation,
  returnOrder,
  submitOrder,
} from './orders/sign.ts'
export { deleteProcess, type ProcessRow, readProcesses, renewProcess } from './processes.ts'
export { assertUsable, type MigrationStatus, readMigrations } from './read-migrations.ts'
export { openReadReplica, type ReadReplica, type ReplicaOutcome, withoutReplica } from './read-replica.ts'
export type * from './schema.ts'
export {
  addToBudgets,
  type BudgetKey,
  type BudgetUsage,
  budgetDayOf,
  type CountedBudget,
  changeBudgets,
  giveBackOne,
  purgeBudgets,
  readBudgets,
  readTotals,
  takeOne,
} from './sponsorships/budgets.ts'
export {
  type BudgetScope,
  type BudgetSpan,
  type ChargedOperation,
  chargeSponsorship,
  countVerdicts,
  deleteUnusedSponsorships,
  deleteUnusedWithoutBuild,
  findOldestOpenBlock,
  findPaidByOrders,
  findUncharged,
  hasEndedSponsorships,
  hasOpenVerdicts,
  lockUnpaidExposure,
  markTaken,
  policyBudgetName,
  promiseSponsorship,
  readUnpaidExposure,
  recordVerdict,
  type SponsorshipBudget,
  type SponsorshipPayment,
  sponsorshipBudgets,
} from './sponsorships/sponsorships.ts'
export {
  endSuspension,
  findSuspension,
  purgeSuspensions,
  readSuspensions,
  writeSuspensions,
} from './sponsorships/suspensions.ts'
export { batched, perDatabase, prepared } from './statements.ts'
export { purgeRawTransactions } from './transactions/purge-raw-transactions.ts'
export {
  insertTransaction,
  markAccepted,
  markLost,
  markSent,
  recordAudits,
  recordTransactionOutcomes,
  type TransactionOutcome,
} from './transactions/record-transactions.ts'
export { type CreatedAccount, createEoaAccount, type NewEoaAccount } from './users/create-eoa-account.ts'
export { deleteLapsedAccounts, displaceUnproven } from './users/displace-account.ts'
export { type AccountWithUser, findAccount, findAccountAt, findAccounts } from './users/find-account.ts'
export {
  claimImport,
  claimImports,
  deleteLapsedImports,
  findImport,
  type ImportedAccount,
  type ImportRow,
  type ImportVerdict,
  importAccounts,
  listImports,
  withdrawImports,
} from './users/imported-accounts.ts'
export { insertPasskeyAccount, type NewPasskeyAccount } from './users/insert-passkey-account.ts'
export { lockAccount } from './users/lock-account.ts'
export { findLookAlikes } from './users/refresh-skeletons.ts'
export { type FoundUser, type SearchOptions, searchUsers } from './users/search-users.ts'
export { findUserByName, findUsernameConflict, type UsernameConflict } from './users/usernames.ts'
