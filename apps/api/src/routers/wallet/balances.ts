import { endpoints } from '@lanyard/contracts'
import { readBalances } from '../../domain/accounts/accounts/balances.ts'
import { findAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { implement } from '../../pipeline/implement.ts'

export const balances = implement(endpoints.wallet.balances, async (input, { services }) => {
  const wallet = await findAnyWallet(services.database, input)
  return { balances: await readBalances(services, wallet) }
})
