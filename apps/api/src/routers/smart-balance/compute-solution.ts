import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { builderOf } from '../../domain/accounts/callers/caller.ts'
import { requireOrderAuthority } from '../../domain/accounts/callers/require-order-authority.ts'
import { getSmartBalance } from '../../domain/smart-balance/model/get-smart-balance.ts'
import { reserveOrder } from '../../domain/smart-balance/orders/reserve-order.ts'
import { chooseOrderSigner } from '../../domain/smart-balance/quotes/order-signer.ts'
import { requireSomeAmount } from '../../domain/smart-balance/quotes/plan-with.ts'
import { implement } from '../../pipeline/implement.ts'

export const computeSolution = implement(
  endpoints.smartBalance.computeSolution,
  async ({ walletAddress, outputNetwork, ...requested }, context, keepAnswer) => {
    const { services } = context
    const network = services.networks.get(outputNetwork)
    getSmartBalance(network)
    requireSomeAmount(requested)
    const wallet = await findWallet(services.database, walletAddress)
    await requireOrderAuthority(context, wallet)
    const signer = await chooseOrderSigner(services, wallet, network)
    const { solution } = await reserveOrder(services, {
      ...requested,
      wallet,
      network,
      signer,
      builtBy: await builderOf(context, wallet),
      onPersisted: keepAnswer,
    })
    return solution
  },
)
