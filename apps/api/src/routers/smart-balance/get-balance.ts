import { endpoints, LanyardError } from '@lanyard/contracts'
import { findUserWallet } from '../../accounts/find-user-wallet.ts'
import { implement } from '../../implement.ts'
import { findBalanceAccount } from '../../smart-balance/balance-account.ts'
import { readBalance } from '../../smart-balance/read-balance.ts'
import { findUser } from '../../tokens/require-user.ts'

export const getBalance = implement(endpoints.smartBalance.getBalance, async ({ walletAddress }, context) => {
  const { services } = context
  if (walletAddress !== undefined) {
    return readBalance(services, await findBalanceAccount(services.database, walletAddress))
  }
  const userId = await findUser(context)
  if (userId === undefined) {
    const message = "Send walletAddress, or the user's token"
    throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'walletAddress', message }] })
  }
  const { address } = await findUserWallet(services.database, userId)
  return readBalance(services, address)
})
