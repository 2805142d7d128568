import { findAccount } from '@lanyard/database'
import type { Wallet } from '../accounts/wallet.ts'
import { callerName } from '../api-keys/api-key.ts'
import { callerOf } from './caller.ts'
import type { CallerContext } from './caller-context.ts'
import { findUser } from './require-user.ts'

/**
 * Who requests a build: a server, by its key; the wallet's user, by the token; any other caller, by key and
 * address. Builds of one builder do not affect those of another.
 */
export async function builderOf(
  context: CallerContext,
  { address }: Pick<Wallet, 'address'>,
): Promise<string> {
  const { apiKey, services } = context
  const caller = callerOf(context)
  if (caller.kind === 'key') return `key:${caller.name}`
  // An invalid token is ignored: no build needs one.
  const userId = await findUser(context).catch(() => undefined)
  const account = userId === undefined ? undefined : await findAccount(services.database, address)
  if (account && account.user_id === userId) return `user:${userId}`
  return `address:${caller.name} ${apiKey ? callerName(apiKey) : ''}`.trimEnd()
}
