import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { planDeposit } from '../../smart-balance/plan-deposit.ts'
import { toTransactions } from '../../smart-balance/transaction-details.ts'

export const deposit = implement(endpoints.smartBalance.deposit, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  return toTransactions(await planDeposit(services, { wallet, network, amount: input.amount }))
})
