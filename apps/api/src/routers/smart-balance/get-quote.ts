import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { chooseOrderSigner } from '../../smart-balance/order-signer.ts'
import { quoteOrder } from '../../smart-balance/quote-order.ts'
import { smartBalanceOn } from '../../smart-balance/smart-balance-on.ts'

export const getQuote = implement(
  endpoints.smartBalance.getQuote,
  async ({ walletAddress, outputNetwork, ...asked }, { services }) => {
    const network = services.networks.get(outputNetwork)
    smartBalanceOn(network)
    const wallet = await findWallet(services.database, walletAddress)
    const signer = await chooseOrderSigner(services, wallet, network)
    const { amount, fee, total } = await quoteOrder(services, { ...asked, wallet, network, signer })
    return { quote: { amount: String(amount), fee: String(fee), total: String(total) } }
  },
)
