export { multiSendAbi, safeAbi, safeProxyFactoryAbi } from './abis/safe.ts'
export {
  safe4337ModuleAbi,
  safeContractOwnerAbi,
  safeModuleSetupAbi,
  safeWebAuthnSharedSignerAbi,
  safeWebAuthnSignerFactoryAbi,
} from './abis/safeModules.ts'
export { computeAccountAddress } from './account/computeAccountAddress.ts'
export { type AccountDeployment, safeDeployment } from './account/deployment.ts'
export { encodeInitCode } from './account/encodeInitCode.ts'
export { encodeInitializer } from './account/encodeInitializer.ts'
export { type AccountOwner, defaultVerifiers, type EoaOwner, type PasskeyOwner } from './account/owner.ts'
export { safeProxyCreationCode } from './account/safeProxyCreationCode.ts'
export type { Call } from './calls/call.ts'
export { type DecodeCallsResult, decodeCalls } from './calls/decodeCalls.ts'
export { encodeCalls } from './calls/encodeCalls.ts'
export { AccountsError, type AccountsErrorCode } from './errors.ts'
export { type AccountMessage, type AccountTypedData, hashAccountMessage } from './messages/account-message.ts'
export { getSafeMessageHash } from './messages/get-safe-message-hash.ts'
export { type SafeMessageContext, safeMessageTypedData } from './messages/safe-message-typed-data.ts'
export { wrapErc6492Signature } from './messages/wrap-erc6492-signature.ts'
export { computeSignerAddress } from './owners/computeSignerAddress.ts'
export { encodeAddOwner } from './owners/encodeAddOwner.ts'
export { encodeCreateSigner } from './owners/encodeCreateSigner.ts'
export { encodeRemoveOwner } from './owners/encodeRemoveOwner.ts'
export { encodeContractSignature } from './passkey/encodeContractSignature.ts'
export {
  type EncodeWebAuthnSignatureResult,
  encodeWebAuthnSignature,
  type WebAuthnAssertion,
} from './passkey/encodeWebAuthnSignature.ts'
export { parseCosePublicKey } from './passkey/parseCosePublicKey.ts'
export { parseDerSignature } from './passkey/parseDerSignature.ts'
export type { Failure } from './result.ts'
export { decodeSignature } from './signatures/decodeSignature.ts'
export { encodeSignature, type OperationSignature } from './signatures/encodeSignature.ts'
export {
  type OwnerSignatureForm,
  type RecoverOwnerSignatureResult,
  recoverOwnerSignature,
} from './signatures/recoverOwnerSignature.ts'
export { stubSignature } from './signatures/stubSignature.ts'
export { encodeExecTransaction } from './transaction/encodeExecTransaction.ts'
export { getSafeTransactionHash } from './transaction/getSafeTransactionHash.ts'
export {
  type SafeTransaction,
  type SafeTransactionContext,
  toSafeTransaction,
} from './transaction/safeTransaction.ts'
export { safeTransactionTypedData } from './transaction/safeTransactionTypedData.ts'
export {
  calculatePreVerificationGas,
  ethereumPreVerificationGas,
  type PreVerificationGasParameters,
} from './user-operation/calculatePreVerificationGas.ts'
export {
  type FromWireUserOperationResult,
  fromWireUserOperation,
} from './user-operation/fromWireUserOperation.ts'
export { getSafeOperationHash } from './user-operation/getSafeOperationHash.ts'
export { getUserOperationHash } from './user-operation/getUserOperationHash.ts'
export { packUserOperation } from './user-operation/packUserOperation.ts'
export { requiredPrefund } from './user-operation/requiredPrefund.ts'
export { type SafeOperationContext, safeOperationTypedData } from './user-operation/safeOperationTypedData.ts'
export { toWireUserOperation } from './user-operation/toWireUserOperation.ts'
export { unpackPaymasterAndData, unpackUserOperation } from './user-operation/unpackUserOperation.ts'
export type { SignedUserOperation, UserOperation } from './user-operation/userOperation.ts'
export type { WireUserOperation } from './user-operation/wireUserOperation.ts'
