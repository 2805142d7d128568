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
    { name: 'newOwners', type: 'Owner[]' },
  ],
  Owner: [
    { name: 'kind', type: 'uint8' },
    { name: 'key', type: 'bytes' },
  ],
} as const

/** Where a message of the module is valid: on every network, for one account and sequence. */
export interface OwnershipContext {
  /** The module, at the same address on every network. */
  readonly module: Address
  readonly account: Address
  /** How many changes and recoveries the account has had. */
  readonly sequence: bigint
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

/**
 * What guardians sign; give it to a wallet's `signTypedData`.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE
 */
export function recoveryTypedData(
  newOwners: readonly AccountOwner[],
  { module, account, sequence }: OwnershipContext,
): TypedDataDefinition<typeof recoveryTypes, 'Recovery'> {
  assertUint(sequence, 64, 'sequence')
  return {
    domain: domain(module),
    types: recoveryTypes,
    primaryType: 'Recovery',
    message: { account, sequence, newOwners: newOwners.map(toModuleOwner) },
  }
}

/** The hash that an owner signs: a passkey's challenge. */
export const getOwnerChangeHash = (change: OwnerChange, context: OwnershipContext): Hash =>
  hashTypedData(ownerChangeTypedData(change, context))

/** The hash that guardians sign, which also names the recovery. */
export const getRecoveryHash = (newOwners: readonly AccountOwner[], context: OwnershipContext): Hash =>
  hashTypedData(recoveryTypedData(newOwners, context))
