import type { Hash, Hex } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { type Failure, failure } from '../../result.ts'
import { encodeOwnerChange, type OwnerChange, toModuleOwner } from './owner-change.ts'
import {
  getOwnerChangeHash,
  getRecoveryHash,
  type OwnershipContext,
  type RecoveryContext,
} from './ownership-typed-data.ts'

/** What a service prepared for an owner to sign. */
export interface PreparedOwnerChange {
  readonly sequence: bigint
  readonly kind: Hex
  readonly data: Hex
  readonly messageToSign: Hash
}

export type VerifyOwnerChangeResult =
  | { readonly ok: true; readonly hash: Hash }
  | Failure<'OTHER_CHANGE' | 'OTHER_SEQUENCE' | 'OTHER_HASH'>

/**
 * Recomputes what an owner is asked to sign. Call it before signing: a message of the module has no expiry and holds on
 * every network.
 *
 * @param change - what the user asked for
 * @param context - module, account and sequence as read from a network, or remembered; never from the answer itself
 * @returns the hash to sign, or what is different
 * @throws AccountsError if `change` cannot be encoded
 */
export function verifyOwnerChange(
  { sequence, kind, data, messageToSign }: PreparedOwnerChange,
  change: OwnerChange,
  context: OwnershipContext,
): VerifyOwnerChangeResult {
  const wanted = encodeOwnerChange(change)
  if (kind !== wanted.kind || data.toLowerCase() !== wanted.data.toLowerCase()) {
    return failure('OTHER_CHANGE', 'The message changes something else than you asked for')
  }
  if (sequence !== context.sequence) {
    return failure('OTHER_SEQUENCE', 'The message is for another sequence of changes')
  }
  const hash = getOwnerChangeHash(change, context)
  if (messageToSign.toLowerCase() !== hash) {
    return failure('OTHER_HASH', 'What is to be signed is not the hash of the message')
  }
  return { ok: true, hash }
}

/** What a service prepared for guardians to sign. */
export interface PreparedRecovery {
  readonly sequence: bigint
  readonly number: bigint
  readonly newOwners: readonly AccountOwner[]
  readonly messageToSign: Hash
}

export type VerifyRecoveryResult =
  | { readonly ok: true; readonly hash: Hash }
  | Failure<'OTHER_OWNERS' | 'OTHER_SEQUENCE' | 'OTHER_NUMBER' | 'OTHER_HASH'>

/**
 * Recomputes what guardians are asked to sign. Call it before signing: the message has no expiry and holds on every
 * network.
 *
 * @param newOwners - what the person who lost the account asked for, told by another channel
 * @param context - module, account and sequence as read from a network, or remembered, and one above the highest number
 * that any network has seen, or that this guardian has signed; never from the answer itself
 * @returns the hash to sign, or what is different
 * @throws AccountsError if `newOwners` cannot be encoded
 */
export function verifyRecovery(
  prepared: PreparedRecovery,
  newOwners: readonly AccountOwner[],
  context: RecoveryContext,
): VerifyRecoveryResult {
  if (keysOf(prepared.newOwners) !== keysOf(newOwners)) {
    return failure('OTHER_OWNERS', 'The recovery makes somebody else the owner than you were asked for')
  }
  if (prepared.sequence !== context.sequence) {
    return failure('OTHER_SEQUENCE', 'The recovery is for another sequence of changes')
  }
  if (prepared.number !== context.number) {
    return failure('OTHER_NUMBER', 'The recovery has another number than the next one')
  }
  const hash = getRecoveryHash(newOwners, context)
  if (prepared.messageToSign.toLowerCase() !== hash) {
    return failure('OTHER_HASH', 'What is to be signed is not the hash of the recovery')
  }
  return { ok: true, hash }
}

/** The order counts: it is part of what is signed. */
const keysOf = (owners: readonly AccountOwner[]) =>
  owners.map((owner) => toModuleOwner(owner).key.toLowerCase()).join()
