import type { SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { type Address, concat, type Hex, numberToHex, size, slice } from 'viem'
import type { EstimateRequest, GasEstimate } from '../bundler.ts'
import { requiredPreVerificationGas } from '../pre-verification-gas.ts'
import { withCallMargin, withRevertMargin, withVerificationMargin } from './gas-margins.ts'
import { type OperationSimulation, simulateOperation } from './simulate-operation.ts'
import { fromElsewhere, requireSteadyGas } from './steady-gas.ts'

type PaymasterLimits = Required<
  Pick<GasEstimate, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>
>

/**
 * Gas limits from one simulation. See `Bundler.estimate`.
 *
 * @param origin - `tx.origin` of the simulation.
 */
export async function estimateBySimulation(
  network: Network,
  { operation, stateOverride = [], verificationGasFloor = 0n, mustBeSteady = false }: EstimateRequest,
  origin?: Address,
): Promise<GasEstimate> {
  const request = { network, operation, stateOverride }
  // In one tick, so that both leave as one JSON-RPC batch.
  const [simulation, elsewhere] = await Promise.all([
    simulateOperation({ ...request, ...(origin ? { origin } : {}) }),
    mustBeSteady ? simulateOperation(fromElsewhere(request)) : undefined,
  ])
  if (elsewhere) requireSteadyGas(simulation, elsewhere)
  const measured = withVerificationMargin(simulation.verification.limit)
  const floor = verificationGasFloor === 0n ? 0n : verificationGasFloor + simulation.creationGasUsed
  const limits = {
    callGasLimit: simulation.executionSucceeded
      ? withCallMargin(simulation.execution.limit)
      : withRevertMargin(simulation.execution.used),
    verificationGasLimit: measured > floor ? measured : floor,
  }
  const paymaster = operation.paymasterAndData === '0x' ? undefined : paymasterLimits(simulation)
  const preVerificationGas = preVerificationGasOf({ ...operation, ...limits }, paymaster)
  return {
    ...limits,
    preVerificationGas,
    ...paymaster,
    execution: {
      success: simulation.executionSucceeded,
      revertData: simulation.executionSucceeded ? '0x' : firstBytes(simulation.executionData),
    },
  }
}

/**
 * Maximum size of revert data: EntryPoint v0.7 reports as much of it (REVERT_REASON_MAX_LEN). A contract may revert
 * with half a megabyte, which would be in the caller's error and in the log.
 */
const maxRevertBytes = 2_048

const firstBytes = (data: Hex): Hex => (size(data) > maxRevertBytes ? slice(data, 0, maxRevertBytes) : data)

const paymasterLimits = ({ paymasterVerification, postOp }: OperationSimulation): PaymasterLimits => ({
  paymasterVerificationGasLimit: withVerificationMargin(paymasterVerification.limit),
  // Unused postOp gas is penalized like unused call gas.
  paymasterPostOpGasLimit: postOp.limit === 0n ? 0n : withCallMargin(postOp.limit),
})

/** Enough both with the caller's paymaster limits and with the estimated ones. */
function preVerificationGasOf(
  operation: SignedUserOperation,
  paymaster: PaymasterLimits | undefined,
): bigint {
  const asGiven = requiredPreVerificationGas(operation)
  if (!paymaster) return asGiven
  const paymasterAndData = withPaymasterLimits(operation.paymasterAndData, paymaster)
  const estimated = requiredPreVerificationGas({ ...operation, paymasterAndData })
  return asGiven > estimated ? asGiven : estimated
}

/** paymaster (20) ‖ uint128 verification gas limit ‖ uint128 postOp gas limit ‖ data */
const withPaymasterLimits = (paymasterAndData: Hex, limits: PaymasterLimits): Hex =>
  concat([
    slice(paymasterAndData, 0, 20),
    numberToHex(limits.paymasterVerificationGasLimit, { size: 16 }),
    numberToHex(limits.paymasterPostOpGasLimit, { size: 16 }),
    `0x${paymasterAndData.slice(2 + 52 * 2)}`,
  ])
