import { requiredPrefund, type SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import type { Hex, StateOverride } from 'viem'
import { decodeRevert } from '../decode-revert.ts'
import { simulateOperation } from './simulate-operation.ts'

export interface ChargeSimulation {
  /** What the calls do. `0x` on success. */
  readonly execution: { readonly success: boolean; readonly revertData: Hex }
  /** Why the paymaster's `postOp` reverts, in words; undefined if it does not. */
  readonly postOpReverts: string | undefined
}

/**
 * Runs an operation with a paymaster that takes a token for the gas, as if the operation cost all that its limits allow.
 * Its signature may be a stub.
 *
 * @throws EntryPoint's refusal if the operation cannot validate; NETWORK_FAILED, NETWORK_UNAVAILABLE
 */
export async function simulateCharge(
  network: Network,
  operation: SignedUserOperation,
  stateOverride: StateOverride = [],
): Promise<ChargeSimulation> {
  const prefund = requiredPrefund(operation)
  const simulation = await simulateOperation({ network, operation, stateOverride, prefund })
  const { executionSucceeded, executionData, postOpSucceeded, postOpData } = simulation
  return {
    execution: { success: executionSucceeded, revertData: executionSucceeded ? '0x' : executionData },
    postOpReverts: postOpSucceeded ? undefined : decodeRevert(postOpData).reason,
  }
}
