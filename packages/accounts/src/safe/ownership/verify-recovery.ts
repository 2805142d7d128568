import type { Hash } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { type Failure, failure } from '../../result.ts'
import { toModuleOwner } from './module-owner.ts'
import { getRecoveryHash, type OwnershipContext } from './ownership-typed-data.ts'

/** What a service prepared for guardians to sign. */
export interface PreparedRecovery {
  readonly sequence: bigint
  readonly newOwners: readonly AccountOwner[]
  readonly messageToSign: Hash
}

export type VerifyRecoveryResult =
  | { readonly ok: true; readonly hash: Hash }
  | Failure<'OTHER_OWNERS' | 'OTHER_SEQUENCE' | 'OTHER_HASH'>

/**
 * Recomputes what guardians are asked to sign. Call it before signing: the message has no expiry and holds on every
 * network.
 *
 * @param newOwners - what the person who lost the account asked for, told by another channel
 * @param context - module, account and sequence as read from a network, or remembered; never from the answer itself
 * @returns the hash to sign, or what is different
 * @throws AccountsError if `newOwners` cannot be encoded
 */
export function verifyRecovery(
  prepared: PreparedRecovery,
  newOwners: readonly AccountOwner[],
  context: OwnershipContext,
): VerifyRecoveryResult {
  if (keysOf(prepared.newOwners) !== keysOf(newOwners)) {
    return failure('OTHER_OWNERS', 'The recovery makes somebody else the owner than you were asked for')
  }
  if (prepared.sequence !== context.sequence) {
    return failure('OTHER_SEQUENCE', 'The recovery is for another sequence of changes')
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
