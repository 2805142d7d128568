export { maximumSpendable, type OrderPlan, type PlanResult, planOrder } from '@lanyard/smart-balance'
export type { ExpectedOwner, KnownAccount } from './account-of.ts'
export { LanyardApiError } from './api-error.ts'
export type { Build, BuildRequest } from './build.ts'
export { ceremonyBody } from './ceremony-body.ts'
export { createLanyardClient, type LanyardClient, type LanyardClientOptions } from './client.ts'
export {
  type DelegatedSignatures,
  type DelegatedSigner,
  type SignDelegatedBuildParameters,
  signDelegatedBuild,
} from './eip7702/sign-delegated-build.ts'
export {
  type VerifiedDelegatedBuild,
  type VerifyDelegatedBuildParameters,
  verifyDelegatedBuild,
} from './eip7702/verify-delegated-build.ts'
export { findDeployment } from './find-deployment.ts'
export type * from './generated/types.gen.ts'
export { type AssertionResponse, isSignedBy } from './is-signed-by.ts'
export {
  type MessageSigner,
  type SignAccountMessageParameters,
  signAccountMessage,
} from './messages/sign-account-message.ts'
export {
  type MessageOptions,
  type VerifiedMessage,
  type VerifyMessageOptionsParameters,
  verifyMessageOptions,
} from './messages/verify-message-options.ts'
export type { Operation, OperationInput, RequestOptions } from './operation.ts'
export type { OwnershipNetwork } from './ownership/ownership-on.ts'
export {
  type OwnerChangeRequest,
  type VerifyPreparedChangeParameters,
  verifyPreparedChange,
} from './ownership/verify-prepared-change.ts'
export {
  type RecoveryRequest,
  type VerifyPreparedRecoveryParameters,
  verifyPreparedRecovery,
} from './ownership/verify-prepared-recovery.ts'
export { passkeyOwner } from './passkey-owner.ts'
export { send } from './send.ts'
export {
  createSessionKey,
  type SessionKeyPair,
  type SessionKeySigner,
  sessionKeyOfAccount,
  sessionKeyOfPair,
} from './session-keys/session-key-signer.ts'
export { type SignSessionBuildParameters, signSessionBuild } from './session-keys/sign-session-build.ts'
export {
  type VerifySessionBuildParameters,
  verifySessionBuild,
} from './session-keys/verify-session-build.ts'
export {
  type VerifiedSessionPlan,
  type VerifySessionPlanParameters,
  verifySessionPlan,
} from './session-keys/verify-session-plan.ts'
export { type BuildSigner, type SignBuildParameters, signBuild } from './sign-build.ts'
export type { OrderExpectation, OrderInBuild, ReservedOrder } from './smart-balance/order-expectation.ts'
export type { Quote, SpendRequest } from './smart-balance/quote.ts'
export { type RecomputeQuoteParameters, recomputeQuote } from './smart-balance/recompute-quote.ts'
export { type Spending, type SpendParameters, spend } from './smart-balance/spend.ts'
export { toTransactionDetail } from './smart-balance/to-transaction-detail.ts'
export type { VerifiedOrder } from './smart-balance/verify-order.ts'
export {
  type VerifiedSolution,
  type VerifySolutionParameters,
  verifySolution,
} from './smart-balance/verify-solution.ts'
export { BuildVerificationError } from './verification-error.ts'
export { type VerifiedBuild, type VerifyBuildParameters, verifyBuild } from './verify-build.ts'
export {
  type VerifyExistingSafeParameters,
  type VerifyExistingSafeResult,
  verifyExistingSafe,
} from './verify-existing-safe.ts'
export type { VerifiedOperation } from './verify-operation.ts'
export type { VerifiedTokenFee } from './verify-token-fee.ts'
export {
  type TransactionOptions,
  type TransactionRequest,
  type VerifyTransactionOptionsParameters,
  verifyTransactionOptions,
} from './verify-transaction-options.ts'
