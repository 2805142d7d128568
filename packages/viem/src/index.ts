export type { LanyardOwner } from './owner-signer.ts'
export { SigningError, type SigningErrorCode } from './signing-error.ts'
export {
  type LanyardDelegatedAccount,
  type ToLanyardDelegatedAccountParameters,
  toLanyardDelegatedAccount,
} from './to-lanyard-delegated-account.ts'
export {
  type LanyardSmartAccount,
  type LanyardSmartAccountImplementation,
  type ToLanyardSmartAccountParameters,
  toLanyardSmartAccount,
} from './to-lanyard-smart-account.ts'
