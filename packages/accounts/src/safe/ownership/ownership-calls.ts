import { ownershipAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Call } from '../../call.ts'
import type { AccountOwner } from '../../owner.ts'
import {
  encodeOwnerChange,
  type GuardianSet,
  type OwnerChange,
  toGuardianSet,
  toModuleOwner,
} from './owner-change.ts'
import type { OwnershipContext, RecoveryContext } from './ownership-typed-data.ts'

/** A guardian and its signature over `getRecoveryHash`: 65 bytes, or what its contract accepts (ERC-1271). */
export interface GuardianSignature {
  readonly guardian: Address
  readonly signature: Hex
}

/** A call of the module that anyone may make, on any network. */
const moduleCall = (module: Address, data: Hex): Call => ({ to: module, value: 0n, data })

/**
 * Applies a change on one network.
 *
 * @param signature - as many signatures of owners as the account's threshold, in Safe's encoding, over `getOwnerChangeHash`
 */
export function encodeApplyChange(
  change: OwnerChange,
  signature: Hex,
  { module, account, sequence }: OwnershipContext,
): Call {
  const { kind, data } = encodeOwnerChange(change)
  const args = [account, sequence, kind, data, signature] as const
  return moduleCall(module, encodeFunctionData({ abi: ownershipAbi, functionName: 'applyChange', args }))
}

/** Starts a recovery on one network, in place of the running one. The guardians may come in any order. */
export function encodeStartRecovery(
  newOwners: readonly AccountOwner[],
  guardians: GuardianSet,
  signatures: readonly GuardianSignature[],
  { module, account, sequence, number, newThreshold = 1n }: RecoveryContext,
): Call {
  const owners = newOwners.map(toModuleOwner)
  const set = toGuardianSet(guardians)
  const args = [account, sequence, number, owners, newThreshold, set, ascending(signatures)] as const
  return moduleCall(module, encodeFunctionData({ abi: ownershipAbi, functionName: 'startRecovery', args }))
}

/** Takes back, on one network, what guardians signed up to a number. The guardians may come in any order. */
export function encodeCancelRecovery(
  guardians: GuardianSet,
  signatures: readonly GuardianSignature[],
  { module, account, sequence, number }: Omit<RecoveryContext, 'newThreshold'>,
): Call {
  const args = [account, sequence, number, toGuardianSet(guardians), ascending(signatures)] as const
  return moduleCall(module, encodeFunctionData({ abi: ownershipAbi, functionName: 'cancelRecovery', args }))
}

/** Executes a recovery on one network, after its delay. */
export function encodeExecuteRecovery(
  newOwners: readonly AccountOwner[],
  { module, account, newThreshold = 1n }: Omit<RecoveryContext, 'sequence' | 'number'>,
): Call {
  const args = [account, newOwners.map(toModuleOwner), newThreshold] as const
  return moduleCall(module, encodeFunctionData({ abi: ownershipAbi, functionName: 'executeRecovery', args }))
}

const ascending = (signatures: readonly GuardianSignature[]) =>
  [...signatures].sort((a, b) => (a.guardian.toLowerCase() < b.guardian.toLowerCase() ? -1 : 1))
