export type { ExpectedOwner, KnownAccount } from './account-of.ts'
export { LanyardApiError } from './api-error.ts'
export type { Build, BuildRequest } from './build.ts'
export { ceremonyBody } from './ceremony-body.ts'
export { createLanyardClient, type LanyardClient, type LanyardClientOptions } from './client.ts'
export type * from './generated/types.gen.ts'
export type { Operation, OperationInput, RequestOptions } from './operation.ts'
export { passkeyOwner } from './passkey-owner.ts'
export { send } from './send.ts'
export { type BuildSigner, type SignBuildParameters, signBuild } from './sign-build.ts'
export { BuildVerificationError } from './verification-error.ts'
export { type VerifiedBuild, type VerifyBuildParameters, verifyBuild } from './verify-build.ts'
export type { VerifiedOperation } from './verify-operation.ts'
export {
  type TransactionOptions,
  type TransactionRequest,
  type VerifyTransactionOptionsParameters,
  verifyTransactionOptions,
} from './verify-transaction-options.ts'
