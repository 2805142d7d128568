export type {
  AccountKind,
  OwnerSignature,
  ReadCallsResult,
  SigningContext,
  SmartAccount,
} from './account.ts'
export type { Call } from './call.ts'
export type { CanonicalCheck, CanonicalRead, ForeignPart } from './canonical-check.ts'
export { baseAccountAbi } from './eip7702/calls.ts'
export { toDelegatedAccount } from './eip7702/delegated-account.ts'
export {
  type DelegatedDeployment,
  type DelegationState,
  delegatedDeployment,
  delegationInitCode,
  encodeDesignator,
  isDelegationInitCode,
  isEoaCode,
  readDelegation,
} from './eip7702/deployment.ts'
export { findKnownDelegate, type KnownDelegate, knownDelegates } from './eip7702/known-delegates.ts'
export { type VerifyAuthorizationResult, verifyAuthorization } from './eip7702/verify-authorization.ts'
export { AccountsError, type AccountsErrorCode, CodedError } from './errors.ts'
export { type IdentityAct, identityNonce } from './identity-nonce.ts'
export {
  type AccountTraits,
  accountTraits,
  createKnownAccounts,
  isCausedByOthers,
  type KnownAccounts,
} from './known-accounts.ts'
export {
  type AccountOwner,
  defaultVerifiers,
  type EoaOwner,
  eoaOf,
  type PasskeyOwner,
  toOwner,
} from './owner.ts'
export type { Failure } from './result.ts'
export { type DecodeCallsResult, decodeCalls, encodeCalls } from './safe/calls.ts'
export {
  type AccountCreation,
  computeAccountAddress,
  encodeInitCode,
  encodeInitializer,
  readCreation,
  safeProxyCreationCode,
} from './safe/creation.ts'
export { type AccountDeployment, defaultDeployment, sessionKeysDeploymentContext } from './safe/deployment.ts'
export { explainAccountError } from './safe/error-codes.ts'
export {
  type ExistingSafe,
  encodeEnabling,
  inspectSafe,
  isKnownSafe,
  isSafeProxy,
  type SafeInspection,
  type SafeProblem,
  type SafeState,
  safeStateReads,
} from './safe/existing-safe.ts'
export {
  type GuardianProof,
  getGuardianProofHash,
  guardianProofTypedData,
} from './safe/guardian-proof.ts'
export {
  type AccountMessage,
  type AccountTypedData,
  getSafeMessageHash,
  hashAccountMessage,
  type SafeMessageContext,
  safeMessageTypedData,
  wrapErc6492Signature,
} from './safe/messages.ts'
export {
  decodeSignature,
  encodeSignature,
  getSafeOperationHash,
  type OperationSignature,
  type SafeOperationContext,
  safeOperationTypedData,
  stubSignature,
} from './safe/operation.ts'
export { ownerConsentText } from './safe/owner-consent.ts'
export {
  encodeAddOwner,
  encodeDisableModule,
  encodeEnableModule,
  encodeRemoveGuard,
  encodeRemoveOwner,
  encodeSetHandler,
  type MemberChange,
  ownerAddresses,
  readMemberChange,
} from './safe/owners.ts'
export {
  decodeOwnerChange,
  encodeOwnerChange,
  fromModuleOwner,
  fromModulePasskey,
  type GuardianSet,
  getGuardianSetHash,
  guardianBounds,
  type ModuleOwner,
  noGuardians,
  type OwnerChange,
  type OwnerChangeFields,
  toGuardianSet,
  toModuleOwner,
} from './safe/ownership/owner-change.ts'
export {
  encodeApplyChange,
  encodeCancelRecovery,
  encodeExecuteRecovery,
  encodeStartRecovery,
  type GuardianSignature,
} from './safe/ownership/ownership-calls.ts'
export {
  cancelRecoveryTypedData,
  getCancelRecoveryHash,
  getOwnerChangeHash,
  getRecoveryHash,
  getRecoveryResultHash,
  type OwnershipContext,
  ownerChangeTypedData,
  type RecoveryContext,
  recoveryTypedData,
} from './safe/ownership/ownership-typed-data.ts'
export {
  type PreparedOwnerChange,
  type PreparedRecovery,
  type VerifyOwnerChangeResult,
  type VerifyRecoveryResult,
  verifyOwnerChange,
  verifyRecovery,
} from './safe/ownership/verify-change.ts'
export { readInitCode } from './safe/read-init-code.ts'
export { accountReads, ownerEvents, receivedEvent, storedPartReads } from './safe/reads.ts'
export { toSafeAccount } from './safe/safe-account.ts'
export {
  countsSender,
  encodeExecTransaction,
  getSafeTransactionHash,
  type SafeTransaction,
  type SafeTransactionContext,
  safeTransactionTypedData,
  toSafeTransaction,
} from './safe/transaction.ts'
export {
  type OwnerSignatureForm,
  type RecoverOwnerSignatureResult,
  recoverOwnerSignature,
} from './signers/eoa/signature.ts'
export { parseCosePublicKey } from './signers/passkey/public-key.ts'
export {
  type EncodeWebAuthnSignatureResult,
  encodeContractSignature,
  encodePasskeySignature,
  encodeWebAuthnSignature,
  parseDerSignature,
  type WebAuthnAssertion,
} from './signers/passkey/signature.ts'
export {
  decodeSignerConfiguration,
  encodeGetConfiguration,
  getSignerConfiguration,
} from './signers/passkey/signer-configuration.ts'
export {
  computeSignerAddress,
  encodeCreateSigner,
  encodeVerifyAsSigner,
  isCreateSigner,
  readSignerContract,
  signerAddressRead,
} from './signers/passkey/signer-contract.ts'
export {
  calculatePreVerificationGas,
  ethereumPreVerificationGas,
  type PreVerificationGasParameters,
} from './user-operation/calculate-pre-verification-gas.ts'
export { getUserOperationHash, operationTypedData } from './user-operation/hash.ts'
export {
  type FromWireUserOperationResult,
  fromWireUserOperation,
  packUserOperation,
  requiredPrefund,
  type SignedUserOperation,
  toWireUserOperation,
  type UserOperation,
  unpackPaymasterAndData,
  unpackUserOperation,
  type WireUserOperation,
} from './user-operation/user-operation.ts'
