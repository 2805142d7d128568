export { type EncodeGrantParameters, encodeGrant } from './calls/encodeGrant.ts'
export { type EncodeRevokeParameters, encodeRevoke } from './calls/encodeRevoke.ts'
export { encodeSessionExecute } from './calls/encodeSessionExecute.ts'
export { SessionKeysError, type SessionKeysErrorCode } from './errors.ts'
export {
  type CompilePermissionsOptions,
  type CompilePermissionsResult,
  compilePermissions,
} from './permissions/compilePermissions.ts'
export { type DescriptionTerms, describePermissions, functionsOf } from './permissions/describePermissions.ts'
export { forbiddenTargets } from './permissions/forbiddenTargets.ts'
export {
  type ContractCall,
  defaultOperations,
  type Erc20TokenAllowance,
  type GasFeeAllowance,
  type NativeTokenAllowance,
  type Permission,
} from './permissions/permission.ts'
export type { PermissionProblem } from './permissions/problems.ts'
export { explainRefusal, type Refusal } from './refusal/explainRefusal.ts'
export { decodeSessionState, type SessionStateOnChain } from './session/decodeSessionState.ts'
export {
  type RuleKind,
  ruleKinds,
  type Session,
  type SessionAllowance,
  type SessionRule,
  type SessionState,
} from './session/session.ts'
export { type P256Key, type SessionKey, sessionKeyId } from './session/sessionKey.ts'
export { sessionNonceKey } from './session/sessionNonceKey.ts'
export {
  encodeSessionSignature,
  type SessionSignatureParameters,
} from './signature/encodeSessionSignature.ts'
export { stubSessionSignature, stubShortfallGas } from './signature/stubSessionSignature.ts'
