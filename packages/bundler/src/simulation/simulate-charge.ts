import { requiredPrefund, type SignedUserOperation, unpackPaymasterAndData } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import type { Hex, StateOverride } from 'viem'
import { decodeRevert } from '../decode-revert.ts'
import { type OperationSimulation, simulateOperation } from './simulate-operation.ts'

export interface ChargeSimulation {
  /** What the calls do. `0x` on success. */
  readonly execution: { readonly success: boolean; readonly revertData: Hex }
  /** Why the paymaster's `postOp` reverts, in words; undefined if it does not. */
  readonly postOpReverts: string | undefined
  /** A limit of the operation that is lower than what its phase needs, units of gas; undefined if both suffice. */
  readonly tooLow: LowLimit | undefined
}

interface LowLimit {
  readonly limit: 'callGasLimit' | 'paymasterPostOpGasLimit'
  readonly given: bigint
  readonly needed: bigint
}

/**
 * Runs an operation with a paymaster that takes a token for the gas, as if the operation cost all that its limits allow.
 * Its signature may be a stub. The simulator runs each phase with the gas that it needs, so the limits are compared with that:
 * calls or a `postOp` that run out of gas are undone, and the paymaster bears the cost.
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
  const { paymasterPostOpGasLimit = 0n } = unpackPaymasterAndData(operation.paymasterAndData) ?? {}
  const limits: readonly LowLimit[] = [
    { limit: 'callGasLimit', given: operation.callGasLimit, needed: neededOf(simulation.execution) },
    {
      limit: 'paymasterPostOpGasLimit',
      given: paymasterPostOpGasLimit,
      needed: neededOf(simulation.postOp),
    },
  ]
  return {
    execution: { success: executionSucceeded, revertData: executionSucceeded ? '0x' : executionData },
    postOpReverts: postOpSucceeded ? undefined : decodeRevert(postOpData).reason,
    tooLow: limits.find(({ given, needed }) => given < needed),
  }
}

/** Where the node's gas ended the search for a limit, only what was used is certain. */
const neededOf = ({ limit, used, tight }: OperationSimulation['postOp']): bigint => (tight ? limit : used)
