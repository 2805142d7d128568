import { endpoints, LanyardError } from '@lanyard/contracts'
import { findUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { findReader } from '../../domain/accounts/callers/caller.ts'
import { findBalanceAccount } from '../../domain/smart-balance/ledger/plan-deposit.ts'
import { readBalance } from '../../domain/smart-balance/ledger/read-balance.ts'
import { implement } from '../../pipeline/implement.ts'

export const getBalance = implement(endpoints.smartBalance.getBalance, async ({ walletAddress }, context) => {
  const { services } = context
  if (walletAddress !== undefined) {
    return readBalance(services, await findBalanceAccount(services.database, walletAddress))
  }
  const userId = await findReader(context)
  if (userId === undefined) {
    const message = "Send walletAddress, or the user's token"
    throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'walletAddress', message }] })
  }
  const { address } = await findUserWallet(services.database, userId)
  return readBalance(services, address)
})
