import { raisedFees } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { Fees, Network } from '@lanyard/networks'
import type { PolicyBudget } from './policy-budget.ts'

/**
 * The maximum fees. The sender of an operation to EntryPoint receives its tip, so that is the least one if our relayer adds
 * the rest (`bundleFees`), and otherwise the network's; with room for one replacement. A cap above the base fee costs
 * nothing: viem's bundler client doubles it, and another node suggests another one.
 */
const limitsAt = (fees: Fees, offersMinTip: boolean) => {
  const offered = offersMinTip ? { ...fees, maxPriorityFeePerGas: fees.minTip } : fees
  return {
    maxFeePerGas: fees.maxFeePerGas * 3n,
    maxPriorityFeePerGas: raisedFees(offered, offered).maxPriorityFeePerGas,
  }
}

/**
 * Rejects fees above those of the network. Clients choose them over JSON-RPC, and a replacement has higher fees
 * than the operation that it replaces. A caller could otherwise turn the budgets of a policy into money.
 *
 * @throws PAYMASTER_REFUSED
 */
export function requireFairFees(
  { config }: Pick<Network, 'config'>,
  fees: Fees,
  operation: Pick<Fees, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  { offersMinTip }: Pick<PolicyBudget, 'offersMinTip'>,
): void {
  if (config.local) return // an idle chain has no fees to compare with
  const limits = limitsAt(fees, offersMinTip)
  for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
    const limit = limits[name]
    if (operation[name] <= limit) continue
    throw new LanyardError('PAYMASTER_REFUSED', {
      message: `The service pays for a ${name} of at most ${limit} wei on ${config.name} now, and the operation has ${operation[name]}. Build it again with ${offersMinTip ? 'the fees that pimlico_getUserOperationGasPrice names as slow' : 'the fees of the network'}.`,
      details: { refusal: name, required: String(operation[name]), budget: String(limit) },
    })
  }
}
