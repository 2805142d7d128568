import { type Address, type Hash, isAddress, isAddressEqual, keccak256, zeroAddress, zeroHash } from 'viem'
import { AccountsError } from '../../errors.ts'
import { encodeOwnerChange } from './owner-change.ts'

/** Who may recover an account. Without members there is no recovery, and threshold and delay are 0. */
export interface GuardianSet {
  /** Ascending, without repetition; {@link toGuardianSet} sorts them. */
  readonly members: readonly Address[]
  /** How many of them must sign. */
  readonly threshold: number
  /** Seconds between the start of a recovery and its execution. */
  readonly delay: number
}

/** Bounds that the module enforces: members, and seconds of delay. */
export const guardianBounds = { members: 16, minDelay: 86_400, maxDelay: 2_592_000 } as const

/** No guardians. */
export const noGuardians: GuardianSet = { members: [], threshold: 0, delay: 0 }

/**
 * Sorts the members as the module wants them.
 *
 * @throws AccountsError OUT_OF_RANGE for a threshold, delay or number of members outside the bounds; MALFORMED for an
 * address that is not one, is 0, or comes twice
 */
export function toGuardianSet({ members, threshold, delay }: GuardianSet): GuardianSet {
  const sorted = [...members].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  const isBroken = (member: Address, index: number) =>
    !isAddress(member) || isAddressEqual(member, zeroAddress) || isRepeated(sorted, index)
  if (sorted.some(isBroken)) {
    throw new AccountsError('MALFORMED', 'Each guardian is an address, named once')
  }
  if (sorted.length === 0 && threshold === 0 && delay === 0) return noGuardians
  check(sorted.length, 1, guardianBounds.members, 'members')
  check(threshold, 1, sorted.length, 'threshold')
  check(delay, guardianBounds.minDelay, guardianBounds.maxDelay, 'delay')
  return { members: sorted, threshold, delay }
}

const isRepeated = (sorted: readonly Address[], index: number) =>
  index > 0 && sorted[index]?.toLowerCase() === sorted[index - 1]?.toLowerCase()

function check(value: number, lowest: number, highest: number, field: string): void {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return
  throw new AccountsError('OUT_OF_RANGE', `${field} must be from ${lowest} to ${highest}`, {
    details: { field, lowest, highest },
  })
}

/**
 * What a network stores of an account's guardians (`guardians` of `stateOf`): 0 if there are none.
 *
 * @throws AccountsError as {@link toGuardianSet}
 */
export function getGuardianSetHash(guardians: GuardianSet): Hash {
  if (guardians.members.length === 0) return zeroHash
  // keccak256(abi.encode(GuardianSet)), as in the data of the change that sets them.
  return keccak256(encodeOwnerChange({ kind: 'setGuardians', guardians }).data)
}
