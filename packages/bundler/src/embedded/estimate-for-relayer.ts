import { LanyardError } from '@lanyard/contracts'
import type { Address } from 'viem'
import type { EstimateRequest, GasEstimate } from '../bundler.ts'
import { l1DataGas, withL1DataMargin, withWorstCaseGas } from '../l1-data.ts'
import { relayerShare } from '../pre-verification-gas.ts'
import { estimateBySimulation } from '../simulation/estimate-by-simulation.ts'
import { assertKnownEntryPoint, assertKnownPaymaster } from './assert-admissible.ts'
import { bundleGasLimit, maxTransactionGas } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'
import { gasToRepay } from './debts.ts'

/**
 * The gas limits from the simulation, with preVerificationGas increased by what the network charges in
 * addition to gas, and without what our relayer bears. Checks that one transaction can have that much gas. Both values are requested in one round
 * trip.
 *
 * @throws PAYMASTER_REFUSED for a paymaster that delivery refuses, OPERATION_REFUSED if one transaction cannot have
 * that much gas, and as `Bundler.estimate`.
 */
export async function estimateForRelayer(
  context: EmbeddedContext,
  request: EstimateRequest,
  relayer: Address,
): Promise<GasEstimate> {
  const { network, knownDebts } = context
  assertKnownEntryPoint(network, request.operation)
  assertKnownPaymaster(network, request.operation)
  const { l1Fee } = network.config
  const [{ execution, ...simulated }, l1Gas] = await Promise.all([
    estimateBySimulation(network, request, relayer),
    l1DataGas(network, l1Fee ? withWorstCaseGas(request.operation) : request.operation),
  ])
  const { sender, paymasterAndData } = request.operation
  // Nobody else pays what the account owes.
  const owed = paymasterAndData === '0x' ? knownDebts.of(sender) : 0n
  const fees = network.lastFees ?? { baseFeePerGas: 0n }
  const simulatedGas = bundleGasLimit([{ ...request.operation, ...simulated }], l1Fee)
  const limits = {
    ...simulated,
    preVerificationGas:
      simulated.preVerificationGas -
      relayerShare(network, request.operation) +
      withL1DataMargin(l1Gas(simulatedGas)) +
      gasToRepay(owed, request.operation, fees),
  }
  const gas = bundleGasLimit([{ ...request.operation, ...limits }], l1Fee)
  if (gas <= maxTransactionGas) return { ...limits, execution }
  throw new LanyardError('OPERATION_REFUSED', {
    message: `The operation needs ${gas} gas, which is more than one transaction may use (${maxTransactionGas}). Split it up.`,
    details: { gas: gas.toString(), maxGas: maxTransactionGas.toString() },
  })
}
