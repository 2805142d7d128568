import { findAccount } from '@lanyard/database'
import type { Wallet } from '../accounts/wallet.ts'
import { callerName } from '../api-keys/api-key.ts'
import { callerOf } from './caller.ts'
import type { CallerContext } from './caller-context.ts'
import { findUser } from './require-user.ts'

/**
 * Who asks for a build of a wallet: a server by its key; the wallet's user by the token; anyone else by the key and
 * the address. Builds of one of them do not influence those of another.
 */
export async function builderOf(
  context: CallerContext,
  { address }: Pick<Wallet, 'address'>,
): Promise<string> {
  const { apiKey, services } = context
  const caller = callerOf(context)
  if (caller.kind === 'key') return `key:${caller.name}`
  // A token that does not verify says nothing: no build needs one.
  const userId = await findUser(context).catch(() => undefined)
  const account = userId === undefined ? undefined : await findAccount(services.database, address)
  if (account && account.user_id === userId) return `user:${userId}`
  return `address:${caller.name} ${apiKey ? callerName(apiKey) : ''}`.trimEnd()
}
