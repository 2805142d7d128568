export {
  type EncodeGrantParameters,
  type EncodeRevokeParameters,
  encodeGrant,
  encodeRevoke,
  encodeSessionExecute,
  endSessionsCall,
} from './calls.ts'
export { SessionKeysError, type SessionKeysErrorCode } from './errors.ts'
export {
  type CompilePermissionsOptions,
  type CompilePermissionsResult,
  compilePermissions,
} from './permissions/compile-permissions.ts'
export {
  type DescriptionTerms,
  describePermissions,
  descriptionMessages,
  functionsOf,
  type SayDescription,
} from './permissions/describe-permissions.ts'
export { forbiddenTargets } from './permissions/forbidden-targets.ts'
export {
  type ContractCall,
  defaultOperations,
  type Erc20TokenAllowance,
  type GasFeeAllowance,
  type NativeTokenAllowance,
  type Permission,
} from './permissions/permission.ts'
export type { PermissionProblem } from './permissions/problems.ts'
export { explainRefusal, type Refusal } from './refusal/explain-rejection.ts'
export {
  decodeSessionState,
  type RuleKind,
  ruleKinds,
  type Session,
  type SessionAllowance,
  type SessionRule,
  type SessionState,
  type SessionStateOnChain,
  sessionNonceKey,
} from './session/session.ts'
export { type P256Key, type SessionKey, sessionKeyId } from './session/session-key.ts'
export {
  encodeSessionSignature,
  type SessionSignatureParameters,
  stubSessionSignature,
  stubShortfallGas,
} from './session/session-signature.ts'
export {
  actionsOfWarnings,
  type SessionAction,
  type SessionWarning,
  sessionWarnings,
} from './warnings/session-warnings.ts'
