import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { planDeposit, toTransactions } from '../../domain/smart-balance/ledger/plan-deposit.ts'
import { implement } from '../../pipeline/implement.ts'

export const deposit = implement(endpoints.smartBalance.deposit, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  return toTransactions(await planDeposit(services, { wallet, network, amount: input.amount }))
})
