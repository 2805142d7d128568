import { endpoints, toChecksumAddress } from '@lanyard/contracts'
import { searchUsers } from '@lanyard/database'
import { implement } from '../../pipeline/implement.ts'

const describeCount = (count: number) => {
  if (count === 0) return 'No user found'
  return count === 1 ? '1 user found' : `${count} users found`
}

export const search = implement(endpoints.user.search, async ({ query }, { services }) => {
  const users = await services.reads.read((database) => searchUsers(database, query))
  return {
    result: users.map(({ username, address }) => ({ wallet_address: toChecksumAddress(address), username })),
    message: describeCount(users.length),
  }
})
