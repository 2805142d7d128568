export type {
  AccountKind,
  OwnerSignature,
  ReadCallsResult,
  SigningContext,
  SmartAccount,
} from './account.ts'
export type { Call } from './call.ts'
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
export { operationTypedData } from './eip7702/operation-typed-data.ts'
export { type VerifyAuthorizationResult, verifyAuthorization } from './eip7702/verify-authorization.ts'
export { AccountsError, type AccountsErrorCode, CodedError } from './errors.ts'
export { type AccountOwner, defaultVerifiers, type EoaOwner, type PasskeyOwner } from './owner.ts'
export type { Failure } from './result.ts'
export { type DecodeCallsResult, decodeCalls } from './safe/calls/decode-calls.ts'
export { encodeCalls } from './safe/calls/encode-calls.ts'
export { computeAccountAddress } from './safe/deployment/compute-account-address.ts'
export { type AccountDeployment, safeDeployment } from './safe/deployment/deployment.ts'
export { encodeInitCode } from './safe/deployment/encode-init-code.ts'
export { encodeInitializer } from './safe/deployment/encode-initializer.ts'
export { type AccountCreation, readCreation } from './safe/deployment/read-creation.ts'
export { safeProxyCreationCode } from './safe/deployment/safe-proxy-creation-code.ts'
export {
  type AccountMessage,
  type AccountTypedData,
  hashAccountMessage,
} from './safe/messages/account-message.ts'
export { getSafeMessageHash } from './safe/messages/get-safe-message-hash.ts'
export { type SafeMessageContext, safeMessageTypedData } from './safe/messages/safe-message-typed-data.ts'
export { getSafeOperationHash } from './safe/operation/get-safe-operation-hash.ts'
export {
  type SafeOperationContext,
  safeOperationTypedData,
} from './safe/operation/safe-operation-typed-data.ts'
export { encodeAddOwner } from './safe/owners/encode-add-owner.ts'
export { encodeRemoveOwner } from './safe/owners/encode-remove-owner.ts'
export { ownerAddresses } from './safe/owners/owner-addresses.ts'
export {
  type GuardianSet,
  guardianBounds,
  noGuardians,
  toGuardianSet,
} from './safe/ownership/guardian-set.ts'
export { getGuardianSetHash } from './safe/ownership/guardian-set-hash.ts'
export { fromModuleOwner, type ModuleOwner, toModuleOwner } from './safe/ownership/module-owner.ts'
export {
  decodeOwnerChange,
  encodeOwnerChange,
  type OwnerChange,
  type OwnerChangeFields,
} from './safe/ownership/owner-change.ts'
export {
  encodeApplyChange,
  encodeEnableOwnership,
  encodeExecuteRecovery,
  encodeStartRecovery,
  type GuardianSignature,
} from './safe/ownership/ownership-calls.ts'
export {
  getOwnerChangeHash,
  getRecoveryHash,
  type OwnershipContext,
  ownerChangeTypedData,
  recoveryTypedData,
} from './safe/ownership/ownership-typed-data.ts'
export {
  type PreparedOwnerChange,
  type VerifyOwnerChangeResult,
  verifyOwnerChange,
} from './safe/ownership/verify-owner-change.ts'
export {
  type PreparedRecovery,
  type VerifyRecoveryResult,
  verifyRecovery,
} from './safe/ownership/verify-recovery.ts'
export { toSafeAccount } from './safe/safe-account.ts'
export { decodeSignature } from './safe/signatures/decode-signature.ts'
export { encodeSignature, type OperationSignature } from './safe/signatures/encode-signature.ts'
export { stubSignature } from './safe/signatures/stub-signature.ts'
export { encodeExecTransaction } from './safe/transaction/encode-exec-transaction.ts'
export { getSafeTransactionHash } from './safe/transaction/get-safe-transaction-hash.ts'
export {
  type SafeTransaction,
  type SafeTransactionContext,
  toSafeTransaction,
} from './safe/transaction/safe-transaction.ts'
export { safeTransactionTypedData } from './safe/transaction/safe-transaction-typed-data.ts'
export {
  type OwnerSignatureForm,
  type RecoverOwnerSignatureResult,
  recoverOwnerSignature,
} from './signers/eoa/recover-owner-signature.ts'
export { computeSignerAddress } from './signers/passkey/compute-signer-address.ts'
export { encodeContractSignature } from './signers/passkey/encode-contract-signature.ts'
export { encodeCreateSigner } from './signers/passkey/encode-create-signer.ts'
export {
  type EncodeWebAuthnSignatureResult,
  encodeWebAuthnSignature,
  type WebAuthnAssertion,
} from './signers/passkey/encode-webauthn-signature.ts'
export { parseCosePublicKey } from './signers/passkey/parse-cose-public-key.ts'
export { parseDerSignature } from './signers/passkey/parse-der-signature.ts'
export {
  calculatePreVerificationGas,
  ethereumPreVerificationGas,
  type PreVerificationGasParameters,
} from './user-operation/calculate-pre-verification-gas.ts'
export {
  type FromWireUserOperationResult,
  fromWireUserOperation,
} from './user-operation/from-wire-user-operation.ts'
export { getUserOperationHash } from './user-operation/get-user-operation-hash.ts'
export { packUserOperation } from './user-operation/pack-user-operation.ts'
export { requiredPrefund } from './user-operation/required-prefund.ts'
export { toWireUserOperation } from './user-operation/to-wire-user-operation.ts'
export { unpackPaymasterAndData, unpackUserOperation } from './user-operation/unpack-user-operation.ts'
export type { SignedUserOperation, UserOperation } from './user-operation/user-operation.ts'
export type { WireUserOperation } from './user-operation/wire-user-operation.ts'
export { wrapErc6492Signature } from './wrap-erc6492-signature.ts'
