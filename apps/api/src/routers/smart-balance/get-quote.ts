import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { getSmartBalance } from '../../domain/smart-balance/model/get-smart-balance.ts'
import { chooseOrderSigner } from '../../domain/smart-balance/quotes/order-signer.ts'
import { requireSomeAmount } from '../../domain/smart-balance/quotes/plan-with.ts'
import { quoteOrder } from '../../domain/smart-balance/quotes/quote-order.ts'
import { implement } from '../../pipeline/implement.ts'

export const getQuote = implement(
  endpoints.smartBalance.getQuote,
  async ({ walletAddress, outputNetwork, ...requested }, { services }) => {
    const network = services.networks.get(outputNetwork)
    getSmartBalance(network)
    requireSomeAmount(requested)
    const wallet = await findWallet(services.database, walletAddress)
    const signer = await chooseOrderSigner(services, wallet, network)
    const { amount, fee, total } = await quoteOrder(services, { ...requested, wallet, network, signer })
    return { quote: { amount: String(amount), fee: String(fee), total: String(total) } }
  },
)
