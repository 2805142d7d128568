import { endpoints, LanyardError } from '@lanyard/contracts'
import { findUserByName } from '@lanyard/database'
import { findUserAddress } from '../../domain/accounts/accounts/find-named-account.ts'
import { listTransactions } from '../../domain/accounts/users/list-transactions.ts'
import { implement } from '../../pipeline/implement.ts'

export const details = implement(endpoints.user.details, async ({ username }, { services }) => {
  const { database, reads } = services
  const user = await findUserByName(database, username)
  const address = user && (await findUserAddress(database, user.id))
  if (!user || !address) throw new LanyardError('UNKNOWN_USER')
  return {
    username: user.username,
    wallet: { scw_address: address },
    transactions: await reads.read((replica) => listTransactions(replica, address)),
  }
})
