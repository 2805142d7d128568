import { endpoints } from '@lanyard/contracts'
import { findWallet, requireKnownCode } from '../../domain/accounts/accounts/wallet.ts'
import { planDeposit, requireAmount, toTransactions } from '../../domain/smart-balance/ledger/plan-deposit.ts'
import { getSmartBalance } from '../../domain/smart-balance/model/get-smart-balance.ts'
import { implement } from '../../pipeline/implement.ts'

export const deposit = implement(endpoints.smartBalance.deposit, async (input, { services }) => {
  const network = services.networks.get(input.network)
  getSmartBalance(network)
  requireAmount(input.amount)
  const wallet = await findWallet(services.database, input.walletAddress)
  await requireKnownCode(network, wallet)
  return toTransactions(await planDeposit(services, { wallet, network, amount: input.amount }))
})
