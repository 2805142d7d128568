import { endpoints } from '@lanyard/contracts'
import { signerId } from '@lanyard/smart-balance'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { agreeOnTerms } from '../../smart-balance/agree-on-terms.ts'
import { readChainMeans } from '../../smart-balance/chain-means.ts'
import { findMeans } from '../../smart-balance/means.ts'
import { chooseOrderSigner } from '../../smart-balance/order-signer.ts'
import { smartBalanceOn } from '../../smart-balance/smart-balance-on.ts'
import { toTerms } from '../../smart-balance/terms.ts'

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
