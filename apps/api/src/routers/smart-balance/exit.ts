import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { planExit } from '../../smart-balance/plan-exit.ts'
import { toTransactions } from '../../smart-balance/transaction-details.ts'

export const exit = implement(
  endpoints.smartBalance.exit,
  async ({ walletAddress, ...input }, { services }) => {
    const network = services.networks.get(input.network)
    const { address: account } = await findWallet(services.database, walletAddress)
    return toTransactions([await planExit({ ...input, network, account })])
  },
)
