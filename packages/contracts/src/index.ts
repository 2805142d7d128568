export {
  type Access,
  type CallerKind,
  callers,
  includesScope,
  type KeyScope,
  keyScopes,
  type NeededScope,
  type Verdict,
} from './access.ts'
export * from './cost-table.ts'
export { toCsvText } from './csv.ts'
export * from './endpoint.ts'
export { endpoints } from './endpoints.generated.ts'
export * from './endpoints-for-browsers.ts'
export { type ErrorBody, errorBody } from './errors/error-body.ts'
export { type ErrorCode, errorCodes, errorTable, type TrpcCode } from './errors/error-table.ts'
export { type InputIssue, LanyardError, type LanyardErrorOptions } from './errors/lanyard-error.ts'
export { type EventMessage, type EventType, eventMessage, eventTypes } from './events/event-message.ts'
export { type EventListenInput, eventListenInput } from './events/listen.ts'
export { memo } from './memo.ts'
export { type Address, address, toChecksumAddress } from './primitives/address.ts'
export { amount } from './primitives/amount.ts'
export { type Hex, hash, hex } from './primitives/hex.ts'
export { isNameServiceName } from './primitives/name-service-endings.ts'
export { network } from './primitives/network.ts'
export { reservedUsernames } from './primitives/reserved-username.ts'
export { newUsername, username, usernameKey } from './primitives/username.ts'
export { usernameRefusal } from './primitives/username-rejection.ts'
export { usernameSkeleton, usernameSkeletonVersion } from './primitives/username-skeleton.ts'
export { type AccountKind, accountKind, accountKinds } from './smart-account/account-kind.ts'
export { type SignMode, signModes } from './smart-account/sign-mode.ts'
export { maxChanges } from './smart-account/simulate.ts'
export { type OperationState, operationStates } from './smart-account/status.ts'
export { maxCallDataBytes, maxCalls, type TransactionDetail } from './smart-account/transaction-detail.ts'
export type { UserOp } from './smart-account/user-op.ts'
export {
  type DebitState,
  debitStates,
  type OrderState,
  orderStates,
} from './smart-balance/order-output.ts'
export { type LedgerEntryOutput, ledgerCsvHeader, toLedgerCsv } from './wallet/ledger-csv.ts'
