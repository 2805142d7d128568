import { endpoints } from '@lanyard/contracts'
import { signerId } from '@lanyard/smart-balance'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { getSmartBalance } from '../../domain/smart-balance/model/get-smart-balance.ts'
import { readChainBalance } from '../../domain/smart-balance/quotes/chain-balance.ts'
import { getOrCreateTerms } from '../../domain/smart-balance/quotes/get-or-create-terms.ts'
import { chooseOrderSigner } from '../../domain/smart-balance/quotes/order-signer.ts'
import { findSpendableBalance } from '../../domain/smart-balance/quotes/spendable-balance.ts'
import { toTerms } from '../../domain/smart-balance/quotes/terms.ts'
import { implement } from '../../pipeline/implement.ts'

export const terms = implement(
  endpoints.smartBalance.terms,
  async ({ walletAddress, outputNetwork }, { services }) => {
    const network = services.networks.get(outputNetwork)
    getSmartBalance(network)
    const wallet = await findWallet(services.database, walletAddress)
    const signer = await chooseOrderSigner(services, wallet, network)
    const [chain, agreed] = await Promise.all([
      readChainBalance(services, wallet, network),
      getOrCreateTerms(services, { wallet, network, signer }, { prolong: false }),
    ])
    const { lendable, depositsOf } = await findSpendableBalance(services.database, {
      account: wallet.address.toLowerCase(),
      outputNetwork,
      now: services.now(),
      ...chain,
    })
    const { basisPoints, operationFee, settlementFees } = toTerms(agreed.terms)
    return {
      basisPoints,
      operationFee: String(operationFee),
      settlementFees: Object.fromEntries(
        Object.entries(settlementFees).map(([source, fee]) => [source, String(fee)]),
      ),
      lendable: String(lendable),
      deposits: depositsOf(signerId(signer)).map(({ network, available }) => ({
        network,
        available: String(available),
      })),
      gasBudget: String(agreed.terms.gasBudget),
      expiresAt: agreed.expiresAt.toISOString(),
    }
  },
)
