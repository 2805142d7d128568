import type { Network } from '@lanyard/networks'
import type { OrderPlan } from '@lanyard/smart-balance'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { readChainBalance } from './chain-balance.ts'
import { getOrCreateTerms } from './get-or-create-terms.ts'
import { type OrderRequest, planWith } from './plan-with.ts'
import { findSpendableBalance } from './spendable-balance.ts'

export interface QuoteRequest extends OrderRequest {
  readonly wallet: Wallet
  /** The network on which the funds arrive. */
  readonly network: Network
}

/**
 * Plans an order as if it were reserved now. Nothing is reserved, but its terms last a minute.
 *
 * @throws NO_SMART_BALANCE, INSUFFICIENT_FUNDS, INSUFFICIENT_LIQUIDITY, LIMIT_BREACHED, AMOUNT_REFUSED,
 * NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function quoteOrder(services: SmartBalanceServices, request: QuoteRequest): Promise<OrderPlan> {
  const { wallet, network, signer } = request
  const [chain, { terms }] = await Promise.all([
    readChainBalance(services, wallet, network),
    getOrCreateTerms(services, { wallet, network, signer }, { prolong: true }),
  ])
  const balance = await findSpendableBalance(services.database, {
    account: wallet.address.toLowerCase(),
    outputNetwork: network.chainId,
    now: services.now(),
    ...chain,
  })
  return planWith(request, balance, terms, chain)
}
