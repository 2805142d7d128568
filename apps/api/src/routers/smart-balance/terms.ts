import { endpoints } from '@lanyard/contracts'
import { signerId } from '@lanyard/smart-balance'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { agreeOnTerms } from '../../domain/smart-balance/quotes/agree-on-terms.ts'
import { readChainMeans } from '../../domain/smart-balance/quotes/chain-means.ts'
import { findMeans } from '../../domain/smart-balance/quotes/means.ts'
import { chooseOrderSigner } from '../../domain/smart-balance/quotes/order-signer.ts'
import { toTerms } from '../../domain/smart-balance/quotes/terms.ts'
import { smartBalanceOn } from '../../domain/smart-balance/smart-balance-on.ts'
import { implement } from '../../pipeline/implement.ts'

export const terms = implement(
  endpoints.smartBalance.terms,
  async ({ walletAddress, outputNetwork }, { services }) => {
    const network = services.networks.get(outputNetwork)
    smartBalanceOn(network)
    const wallet = await findWallet(services.database, walletAddress)
    const signer = await chooseOrderSigner(services, wallet, network)
    const [chain, agreed] = await Promise.all([
      readChainMeans(services, wallet, network),
      agreeOnTerms(services, { wallet, network, signer }, { prolong: false }),
    ])
    const { lendable, depositsOf } = await findMeans(services.database, {
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
