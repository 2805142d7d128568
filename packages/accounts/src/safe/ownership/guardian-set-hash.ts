import { type Hash, keccak256, zeroHash } from 'viem'
import type { GuardianSet } from './guardian-set.ts'
import { encodeOwnerChange } from './owner-change.ts'

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
