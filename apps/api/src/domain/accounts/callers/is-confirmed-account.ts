import type { AccountKind } from '@lanyard/contracts'
import { findAccounts } from '@lanyard/database'
import type { Address } from 'viem'
import { defaultKind } from '../accounts/kind.ts'
import { type CallerContext, findUser } from './caller.ts'

/**
 * Whether an account that an EOA gets counts at once when requests name the EOA. With a publishable key, and without a key
 * where that is allowed, anyone can create an account for any EOA. So a second one, and one of another kind than the
 * default, wait for the user: by a token, or by the first operation that is signed for them. A third party could otherwise
 * break an app's requests.
 *
 * @throws UNAUTHORIZED for a token that does not verify
 */
export async function isConfirmedAccount(
  context: CallerContext,
  { eoaAddress, type }: { readonly eoaAddress: Address; readonly type: AccountKind },
): Promise<boolean> {
  if (context.apiKey?.kind === 'secret') return true
  // A service on a developer's machine has no keys.
  if (!context.apiKey && context.services.networks.list().every(({ config }) => config.local)) return true
  const accounts = await findAccounts(context.services.database, eoaAddress)
  const isAccount = accounts.some(({ address }) => address === eoaAddress.toLowerCase())
  if (type === defaultKind && !isAccount) return true
  const userId = await findUser(context)
  return userId !== undefined && accounts.some((account) => account.user_id === userId)
}
