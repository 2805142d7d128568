import { type Address, type Hex, isAddressEqual, toEventSelector } from 'viem'
import type { AccountKind } from './account.ts'
import { delegatedDeployment } from './eip7702/deployment.ts'
import { checkSafe, type SafePart, signatureKindOfSafe } from './safe/canonical-check.ts'
import { receivedEvent } from './safe/reads.ts'
import type { SignedUserOperation } from './user-operation/user-operation.ts'

/** What may differ in an account from what this service deploys. */
export type ForeignPart = SafePart

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

/** What a bundler has to know of an operation's account, without knowing its kind. */
export interface AccountTraits {
  readonly kind: AccountKind
  /** What EntryPoint is going to check: a key's signature (65 bytes), or what a contract says of one. */
  readonly signedBy: 'key' | 'contract'
  /** Whether its owner can exchange its code by one cheap transaction, whatever the code was when it was read. */
  readonly ownerReplacesCode: boolean
}

/** The modules that accounts of a network may have besides the one for ERC-4337. */
export interface KnownModules {
  readonly sessionKeys?: Address | undefined
  readonly ownership?: Address | undefined
}

/** The kinds of accounts that a service deploys, as a bundler asks for them. */
export interface KnownAccounts {
  check(operation: SignedUserOperation): CanonicalCheck
}

export const createKnownAccounts = (modules: KnownModules): KnownAccounts => {
  const check = checkSafe(modules)
  // What an EOA runs is its code, a designator, and that can change; it is read with the delegations.
  return { check: (operation) => (isOfDelegatedEoa(operation) ? { reads: [] } : check(operation)) }
}

/** An EOA with code has an EntryPoint of its own, v0.8. */
const isOfDelegatedEoa = ({ entryPoint }: Pick<SignedUserOperation, 'entryPoint'>): boolean =>
  entryPoint !== undefined && isAddressEqual(entryPoint, delegatedDeployment.entryPoint)

const received = toEventSelector(receivedEvent)

/** Whether an account's log with this first topic shows nothing that the account did: it was sent coins. */
export const isCausedByOthers = (topic: Hex | undefined): boolean => topic === received

export const accountTraits = (
  operation: Pick<SignedUserOperation, 'entryPoint' | 'signature'>,
): AccountTraits =>
  isOfDelegatedEoa(operation)
    ? { kind: 'eip7702', signedBy: 'key', ownerReplacesCode: true }
    : { kind: 'safe', signedBy: signatureKindOfSafe(operation), ownerReplacesCode: false }
