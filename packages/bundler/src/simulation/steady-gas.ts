import { randomBytes } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import { toHex } from 'viem'
import type { OperationSimulation, SimulateOperationRequest } from './simulate-operation.ts'

/** Nobody can recognise them in advance, as they could the address of a relayer. */
const origin = toHex(randomBytes(20))
const coinbase = toHex(randomBytes(20))

/** The same simulation as another sender would run it, with the fees of a real transaction, in another producer's block. */
export function fromElsewhere(
  request: Pick<SimulateOperationRequest, 'network' | 'operation' | 'stateOverride'>,
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
export function requireSteadyGas(one: OperationSimulation, other: OperationSimulation): void {
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
