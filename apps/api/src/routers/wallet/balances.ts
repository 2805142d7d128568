import { endpoints } from '@lanyard/contracts'
import { readBalances } from '../../accounts/balances.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'

export const balances = implement(endpoints.wallet.balances, async (input, { services }) => {
  const wallet = await findWallet(services.database, input.walletAddress)
  return { balances: await readBalances(services, wallet.address) }
})
