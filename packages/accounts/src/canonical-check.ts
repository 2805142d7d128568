import type { Address, Hex } from 'viem'

/** A part of an account whose code can run when the account validates an operation. */
export type AccountPart = 'singleton' | 'handler' | 'guard' | 'modules'

/** What may differ in an account from what this service deploys. */
export type ForeignPart = AccountPart | 'signer' | 'initCode'

/** A call whose answer shows whether a part of an account is known. */
export interface CanonicalRead {
  readonly target: Address
  readonly callData: Hex
  readonly part: ForeignPart
  readonly passes: (answer: Hex) => boolean
}

/** What shows that validating an operation runs known code only: all reads pass, or the operation alone shows the part. */
export type CanonicalCheck =
  | { readonly reads: readonly CanonicalRead[] }
  | { readonly foreignPart: ForeignPart }

/** The modules that accounts of a network may have besides the one for ERC-4337. */
export interface KnownModules {
  readonly sessionKeys?: Address | undefined
  readonly ownership?: Address | undefined
}
