import { transactionGas } from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import type { PolicyBudget } from '../../gas-policies/policy-budget.ts'

/**
 * What an operation pays of a transaction's base cost, units of gas. The embedded bundler leaves it out of estimates
 * for SmartBalance, because its relayer bears it for gas policies. Everyone else pays it.
 */
export const shareOfBase = (
  { config }: Pick<Network, 'config'>,
  budget: Pick<PolicyBudget, 'relayerGas'> | undefined,
): bigint => (config.bundler.kind === 'embedded' ? transactionGas - (budget?.relayerGas ?? 0n) : 0n)
