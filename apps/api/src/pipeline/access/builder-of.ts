import { findAccount } from '@lanyard/database'
import type { Wallet } from '../../domain/accounts/accounts/wallet.ts'
import { callerName } from '../../domain/accounts/api-keys/api-key.ts'
import { findUser } from '../../domain/accounts/tokens/require-user.ts'
import { callerOf } from '../rate-limits/caller.ts'
import type { RequestContext } from '../request-context.ts'

/**
 * Who asks for a build of a wallet: a server by its key; the wallet's user by the token; anyone else by the key and
 * the address. Builds of one of them do not influence those of another.
 */
export async function builderOf(
  context: RequestContext,
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
