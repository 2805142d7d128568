import { type Address, type Hash, hashTypedData, type TypedDataDefinition } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { assertUint } from '../../words.ts'
import { encodeOwnerChange, type OwnerChange, toModuleOwner } from './owner-change.ts'

const ownerChangeTypes = {
  OwnerChange: [
    { name: 'account', type: 'address' },
    { name: 'sequence', type: 'uint64' },
    { name: 'kind', type: 'bytes32' },
    { name: 'data', type: 'bytes' },
  ],
} as const

const recoveryTypes = {
  Recovery: [
    { name: 'account', type: 'address' },
    { name: 'sequence', type: 'uint64' },
    { name: 'number', type: 'uint64' },
    { name: 'newOwners', type: 'Owner[]' },
    { name: 'newThreshold', type: 'uint256' },
  ],
  Owner: [
    { name: 'kind', type: 'uint8' },
    { name: 'key', type: 'bytes' },
  ],
} as const

const cancelRecoveryTypes = {
  CancelRecovery: [
    { name: 'account', type: 'address' },
    { name: 'sequence', type: 'uint64' },
    { name: 'number', type: 'uint64' },
  ],
} as const

const recoveryResultTypes = {
  RecoveryResult: [
    { name: 'account', type: 'address' },
    { name: 'sequence', type: 'uint64' },
    { name: 'newOwners', type: 'Owner[]' },
    { name: 'newThreshold', type: 'uint256' },
  ],
  Owner: recoveryTypes.Owner,
} as const

/** Where a message of the module is valid: on every network, for one account and sequence. */
export interface OwnershipContext {
  /** The module, at the same address on every network. */
  readonly module: Address
  readonly account: Address
  /** How many changes and recoveries the account has had. */
  readonly sequence: bigint
}

/** Where a message of guardians is valid: each of a sequence has a number, and a higher one replaces what a lower one started. */
export interface RecoveryContext extends OwnershipContext {
  readonly number: bigint
  /** How many of the new owners sign after the recovery. Absent: 1. */
  readonly newThreshold?: bigint | undefined
}

/** Without a chain id: a message holds on every network. */
const domain = (module: Address) => ({ name: 'Ownership', version: '1', verifyingContract: module }) as const

/**
 * What an owner signs to change owners or guardians; give it to a wallet's `signTypedData`.
 *
 * @throws AccountsError as {@link encodeOwnerChange}; OUT_OF_RANGE for a sequence over 64 bits
 */
export function ownerChangeTypedData(
  change: OwnerChange,
  { module, account, sequence }: OwnershipContext,
): TypedDataDefinition<typeof ownerChangeTypes, 'OwnerChange'> {
  assertUint(sequence, 64, 'sequence')
  return {
    domain: domain(module),
    types: ownerChangeTypes,
    primaryType: 'OwnerChange',
    message: { account, sequence, ...encodeOwnerChange(change) },
  }
}

const targetOf = (newOwners: readonly AccountOwner[], newThreshold = 1n) => {
  assertUint(newThreshold, 256, 'newThreshold')
  return { newOwners: newOwners.map(toModuleOwner), newThreshold }
}

/**
 * What guardians sign to start a recovery; give it to a wallet's `signTypedData`.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE
 */
export function recoveryTypedData(
  newOwners: readonly AccountOwner[],
  { module, account, sequence, number, newThreshold }: RecoveryContext,
): TypedDataDefinition<typeof recoveryTypes, 'Recovery'> {
  assertUint(sequence, 64, 'sequence')
  assertUint(number, 64, 'number')
  return {
    domain: domain(module),
    types: recoveryTypes,
    primaryType: 'Recovery',
    message: { account, sequence, number, ...targetOf(newOwners, newThreshold) },
  }
}

/**
 * What guardians sign to end a recovery and to take back every number up to this one; give it to a wallet's
 * `signTypedData`.
 *
 * @throws AccountsError OUT_OF_RANGE
 */
export function cancelRecoveryTypedData({
  module,
  account,
  sequence,
  number,
}: Omit<RecoveryContext, 'newThreshold'>): TypedDataDefinition<typeof cancelRecoveryTypes, 'CancelRecovery'> {
  assertUint(sequence, 64, 'sequence')
  assertUint(number, 64, 'number')
  return {
    domain: domain(module),
    types: cancelRecoveryTypes,
    primaryType: 'CancelRecovery',
    message: { account, sequence, number },
  }
}

/** The hash that an owner signs: a passkey's challenge. */
export const getOwnerChangeHash = (change: OwnerChange, context: OwnershipContext): Hash =>
  hashTypedData(ownerChangeTypedData(change, context))

/** The hash that guardians sign, which also names the recovery. */
export const getRecoveryHash = (newOwners: readonly AccountOwner[], context: RecoveryContext): Hash =>
  hashTypedData(recoveryTypedData(newOwners, context))

/** The hash that guardians sign to take recoveries back. */
export const getCancelRecoveryHash = (context: Omit<RecoveryContext, 'newThreshold'>): Hash =>
  hashTypedData(cancelRecoveryTypedData(context))

/** What an executed recovery adds to the head of an account: the same for each number. Nobody signs it. */
export function getRecoveryResultHash(
  newOwners: readonly AccountOwner[],
  { module, account, sequence, newThreshold }: Omit<RecoveryContext, 'number'>,
): Hash {
  assertUint(sequence, 64, 'sequence')
  return hashTypedData({
    domain: domain(module),
    types: recoveryResultTypes,
    primaryType: 'RecoveryResult',
    message: { account, sequence, ...targetOf(newOwners, newThreshold) },
  })
}
