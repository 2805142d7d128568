import { type Hex, isAddressEqual, toEventSelector } from 'viem'
import type { CanonicalCheck, KnownModules } from './canonical-check.ts'
import { delegatedDeployment } from './eip7702/deployment.ts'
import { checkSafe, signatureKindOfSafe } from './safe/check-safe.ts'
import { receivedEvent } from './safe/reads.ts'
import type { SignedUserOperation } from './user-operation/user-operation.ts'

/** What a bundler has to know of an operation's account, without knowing its kind. */
export interface AccountTraits {
  /** What EntryPoint is going to check: a key's signature (65 bytes), or what a contract says of one. */
  readonly signedBy: 'key' | 'contract'
  /** Whether its owner can exchange its code by one cheap transaction, whatever the code was when it was read. */
  readonly ownerReplacesCode: boolean
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
    ? { signedBy: 'key', ownerReplacesCode: true }
    : { signedBy: signatureKindOfSafe(operation), ownerReplacesCode: false }
