export { ownershipAbi } from './abis/ownership.ts'
export { multiSendAbi, safeAbi, safeProxyFactoryAbi } from './abis/safe.ts'
export {
  safe4337ModuleAbi,
  safeContractOwnerAbi,
  safeModuleSetupAbi,
  safeWebAuthnSharedSignerAbi,
  safeWebAuthnSignerFactoryAbi,
} from './abis/safe-modules.ts'
export { computeAccountAddress } from './account/compute-account-address.ts'
export { type AccountDeployment, safeDeployment } from './account/deployment.ts'
export { encodeInitCode } from './account/encode-init-code.ts'
export { encodeInitializer } from './account/encode-initializer.ts'
export { type AccountOwner, defaultVerifiers, type EoaOwner, type PasskeyOwner } from './account/owner.ts'
export { safeProxyCreationCode } from './account/safe-proxy-creation-code.ts'
export type {
  AccountKind,
  OwnerSignature,
  ReadCallsResult,
  SigningContext,
  SmartAccount,
} from './account.ts'
export type { Call } from './calls/call.ts'
export { type DecodeCallsResult, decodeCalls } from './calls/decode-calls.ts'
export { encodeCalls } from './calls/encode-calls.ts'
export { baseAccountAbi } from './eip7702/calls.ts'
export { toDelegatedAccount } from './eip7702/delegated-account.ts'
export {
  type DelegatedDeployment,
  type DelegationState,
  delegatedDeployment,
  delegationInitCode,
  encodeDesignator,
  isDelegationInitCode,
  readDelegation,
} from './eip7702/deployment.ts'
export { operationTypedData } from './eip7702/operation-typed-data.ts'
export { AccountsError, type AccountsErrorCode } from './errors.ts'
export { type AccountMessage, type AccountTypedData, hashAccountMessage } from './messages/account-message.ts'
export { getSafeMessageHash } from './messages/get-safe-message-hash.ts'
export { type SafeMessageContext, safeMessageTypedData } from './messages/safe-message-typed-data.ts'
export { wrapErc6492Signature } from './messages/wrap-erc6492-signature.ts'
export { computeSignerAddress } from './owners/compute-signer-address.ts'
export { encodeAddOwner } from './owners/encode-add-owner.ts'
export { encodeCreateSigner } from './owners/encode-create-signer.ts'
export { encodeRemoveOwner } from './owners/encode-remove-owner.ts'
export {
  type GuardianSet,
  guardianBounds,
  noGuardians,
  toGuardianSet,
} from './ownership/guardian-set.ts'
export { getGuardianSetHash } from './ownership/guardian-set-hash.ts'
export { fromModuleOwner, type ModuleOwner, toModuleOwner } from './ownership/module-owner.ts'
export {
  decodeOwnerChange,
  encodeOwnerChange,
  type OwnerChange,
  type OwnerChangeFields,
} from './ownership/owner-change.ts'
export {
  encodeApplyChange,
  encodeEnableOwnership,
  encodeExecuteRecovery,
  encodeStartRecovery,
  type GuardianSignature,
} from './ownership/ownership-calls.ts'
export {
  getOwnerChangeHash,
  getRecoveryHash,
  type OwnershipContext,
  ownerChangeTypedData,
  recoveryTypedData,
} from './ownership/ownership-typed-data.ts'
export {
  type PreparedOwnerChange,
  type VerifyOwnerChangeResult,
  verifyOwnerChange,
} from './ownership/verify-owner-change.ts'
export {
  type PreparedRecovery,
  type VerifyRecoveryResult,
  verifyRecovery,
} from './ownership/verify-recovery.ts'
export { encodeContractSignature } from './passkey/encode-contract-signature.ts'
export {
  type EncodeWebAuthnSignatureResult,
  encodeWebAuthnSignature,
  type WebAuthnAssertion,
} from './passkey/encode-webauthn-signature.ts'
export { parseCosePublicKey } from './passkey/parse-cose-public-key.ts'
export { parseDerSignature } from './passkey/parse-der-signature.ts'
export type { Failure } from './result.ts'
export { toSafeAccount } from './safe/safe-account.ts'
export { decodeSignature } from './signatures/decode-signature.ts'
export { encodeSignature, type OperationSignature } from './signatures/encode-signature.ts'
export {
  type OwnerSignatureForm,
  type RecoverOwnerSignatureResult,
  recoverOwnerSignature,
} from './signatures/recover-owner-signature.ts'
export { stubSignature } from './signatures/stub-signature.ts'
export { encodeExecTransaction } from './transaction/encode-exec-transaction.ts'
export { getSafeTransactionHash } from './transaction/get-safe-transaction-hash.ts'
export {
  type SafeTransaction,
  type SafeTransactionContext,
  toSafeTransaction,
} from './transaction/safe-transaction.ts'
export { safeTransactionTypedData } from './transaction/safe-transaction-typed-data.ts'
export {
  calculatePreVerificationGas,
  ethereumPreVerificationGas,
  type PreVerificationGasParameters,
} from './user-operation/calculate-pre-verification-gas.ts'
export {
  type FromWireUserOperationResult,
  fromWireUserOperation,
} from './user-operation/from-wire-user-operation.ts'
export { getSafeOperationHash } from './user-operation/get-safe-operation-hash.ts'
export { getUserOperationHash } from './user-operation/get-user-operation-hash.ts'
export { packUserOperation } from './user-operation/pack-user-operation.ts'
export { requiredPrefund } from './user-operation/required-prefund.ts'
export {
  type SafeOperationContext,
  safeOperationTypedData,
} from './user-operation/safe-operation-typed-data.ts'
export { toWireUserOperation } from './user-operation/to-wire-user-operation.ts'
export { unpackPaymasterAndData, unpackUserOperation } from './user-operation/unpack-user-operation.ts'
export type { SignedUserOperation, UserOperation } from './user-operation/user-operation.ts'
export type { WireUserOperation } from './user-operation/wire-user-operation.ts'
