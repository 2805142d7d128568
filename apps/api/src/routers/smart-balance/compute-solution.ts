import { endpoints } from '@lanyard/contracts'
import { builderOf } from '../../access/builder-of.ts'
import { requireOrderAuthority } from '../../access/require-order-authority.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { chooseOrderSigner } from '../../smart-balance/order-signer.ts'
import { reserveOrder } from '../../smart-balance/reserve-order.ts'
import { smartBalanceOn } from '../../smart-balance/smart-balance-on.ts'

export const computeSolution = implement(
  endpoints.smartBalance.computeSolution,
  async ({ walletAddress, outputNetwork, ...asked }, context, keepAnswer) => {
    const { services } = context
    const network = services.networks.get(outputNetwork)
    smartBalanceOn(network)
    const wallet = await findWallet(services.database, walletAddress)
    await requireOrderAuthority(context, wallet)
    const signer = await chooseOrderSigner(services, wallet, network)
    const { solution } = await reserveOrder(services, {
      ...asked,
      wallet,
      network,
      signer,
      builtBy: await builderOf(context, wallet),
      whenWritten: keepAnswer,
    })
    return solution
  },
)
