import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { planExit, toTransactions } from '../../domain/smart-balance/ledger/plan-deposit.ts'
import { implement } from '../../pipeline/implement.ts'

export const exit = implement(
  endpoints.smartBalance.exit,
  async ({ walletAddress, ...input }, { services }) => {
    const network = services.networks.get(input.network)
    const { address: account } = await findWallet(services.database, walletAddress)
    return toTransactions([await planExit({ ...input, network, account })])
  },
)
