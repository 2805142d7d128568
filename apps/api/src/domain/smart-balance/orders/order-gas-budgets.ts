import type { Network } from '@lanyard/networks'
import type { Env } from '../../../platform/environment/env.ts'
import { callerName } from '../../accounts/api-keys/api-key.ts'
import type { CallerContext } from '../../accounts/callers/caller-context.ts'
import type { BudgetLimits } from '../../gas-policies/gas-budgets.ts'

/** Settlement tokens per day on each network when UNPAID_ORDER_GAS is not set. */
const fallback = { real: 200n, local: 1_000_000n }

const unitsOfToken = 1_000_000n
const ether = 10n ** 18n

/** The name of the request's API key. Requests without a key count as one caller. */
export const callerOf = ({ apiKey }: Pick<CallerContext, 'apiKey'>): string =>
  apiKey ? callerName(apiKey) : ''

/**
 * Daily budgets for the cost of orders without debits: per caller, and in total. Such an order pays for its
 * gas only by its withdrawal. If its calls revert, which the sender can cause, the operator pays. Accounts
 * are cheap to create, so a limit per account is no real limit.
 *
 * @returns wei, at the current price of the native coin
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readOrderGasBudgets(
  network: Network,
  env: Pick<Env, 'UNPAID_ORDER_GAS' | 'UNPAID_ORDER_GAS_PER_KEY'>,
): Promise<BudgetLimits> {
  const all = BigInt(env.UNPAID_ORDER_GAS ?? (network.config.local ? fallback.local : fallback.real))
  const ofCaller =
    env.UNPAID_ORDER_GAS_PER_KEY === undefined ? all / 2n : BigInt(env.UNPAID_ORDER_GAS_PER_KEY)
  const price = await network.nativePrice()
  const toWei = (tokens: bigint) => (tokens * unitsOfToken * ether) / price
  return { apiKey: { day: { wei: toWei(ofCaller) } }, all: { day: { wei: toWei(all) } } }
}
