import { randomBytes } from 'node:crypto'
import type { SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { type Address, concat, type Hex, numberToHex, size, slice, toHex } from 'viem'
import { requiredPreVerificationGas } from '../bundle-gas.ts'
import type { EstimateRequest, GasEstimate } from '../bundler.ts'
import {
  type OperationSimulation,
  type SimulateOperationRequest,
  simulateOperation,
} from './simulate-operation.ts'

/**
 * A margin on the limit that the simulation found sufficient. Unused verification gas costs nothing but a
 * larger prefund. A tenth covers a signature whose real check costs more than the stub's, and EntryPoint's
 * extra cost when a bundle has other warm and cold slots.
 */
const withVerificationMargin = (limit: bigint): bigint => limit + limit / 10n

/**
 * EntryPoint v0.7 takes a tenth of unused call gas as a penalty (PENALTY_PERCENT), so this margin is small: 5
 * % and 2,000 gas cost 0.5 % and 200. It covers a slot or two that are cold or empty at inclusion but were
 * not in the simulation.
 */
const withCallMargin = (limit: bigint): bigint => limit + limit / 20n + 2_000n

/**
 * For calls that currently revert but are built anyway. The gas that they will use when they no longer revert
 * cannot be measured, so this is twice what they used before the revert, plus room for some writes.
 */
const withRevertMargin = (used: bigint): bigint => 2n * used + 100_000n

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
  {
    operation,
    stateOverride = [],
    verificationGasFloor = 0n,
    mustBeSteady = false,
    isCostly = false,
  }: EstimateRequest,
  origin?: Address,
): Promise<GasEstimate> {
  const request = { network, operation, stateOverride, isCostly }
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

/** Nobody can recognise them in advance, as they could the address of a relayer. */
const origin = toHex(randomBytes(20))
const coinbase = toHex(randomBytes(20))

/** The same simulation as another sender would run it, with the fees of a real transaction, in another producer's block. */
function fromElsewhere(
  request: Pick<SimulateOperationRequest, 'network' | 'operation' | 'stateOverride' | 'isCostly'>,
): SimulateOperationRequest {
  const { network, operation, stateOverride } = request
  const { maxFeePerGas, maxPriorityFeePerGas } = operation
  const { baseFeePerGas } = network.lastFees ?? {}
  // Nodes reject other fees, and fees are not checked here.
  const isPossible =
    baseFeePerGas !== undefined && maxFeePerGas >= baseFeePerGas && maxFeePerGas >= maxPriorityFeePerGas
  return {
    ...request,
    ...{ origin, coinbase },
    fees: isPossible ? { maxFeePerGas, maxPriorityFeePerGas } : undefined,
    stateOverride: [...stateOverride, { address: origin, balance: 10n ** 30n }],
  }
}

/** Differences that warm slots and rounding explain: a twentieth, and this many units of gas. */
const noise = 5_000n

/**
 * Compares two simulations of one operation.
 *
 * @throws PAYMASTER_REFUSED when they differ beyond noise
 */
function requireSteadyGas(one: OperationSimulation, other: OperationSimulation): void {
  const phases = ['verification', 'paymasterVerification', 'execution', 'postOp'] as const
  const isSteady =
    one.executionSucceeded === other.executionSucceeded &&
    phases.every((phase) => isClose(one[phase].used, other[phase].used))
  if (isSteady) return
  const [first, second] = [one, other].map(({ execution }) => execution.used)
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The gas of this operation depends on who sends it: its calls use ${first} or ${second}. The service pays only for gas that does not. Let the account pay.`,
    details: { refusal: 'unsteady_gas' },
  })
}

const isClose = (a: bigint, b: bigint): boolean => {
  const [less, more] = a < b ? [a, b] : [b, a]
  return more - less <= more / 20n + noise
}
