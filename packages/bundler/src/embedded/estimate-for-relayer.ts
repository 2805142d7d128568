import { LanyardError } from '@lanyard/contracts'
import type { Address } from 'viem'
import type { EstimateRequest, GasEstimate } from '../bundler.ts'
import { estimateBySimulation } from '../simulation/estimate-by-simulation.ts'
import { bundleGasLimit, maxTransactionGas } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'

/**
 * The simulation's gas limits, provided that one transaction can have as much.
 *
 * @throws OPERATION_REFUSED when it cannot, and as `Bundler.estimate`.
 */
export async function estimateForRelayer(
  context: EmbeddedContext,
  request: EstimateRequest,
  relayer: Address,
): Promise<GasEstimate> {
  const { execution, ...limits } = await estimateBySimulation(context, request, relayer)
  const gas = bundleGasLimit([{ ...request.operation, ...limits }])
  if (gas <= maxTransactionGas) return { ...limits, execution }
  throw new LanyardError('OPERATION_REFUSED', {
    message: `The operation needs ${gas} gas, more than one transaction may have (${maxTransactionGas}). Split it up.`,
    details: { gas: gas.toString(), maxGas: maxTransactionGas.toString() },
  })
}
