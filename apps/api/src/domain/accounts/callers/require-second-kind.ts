import { LanyardError } from '@lanyard/contracts'
import { findAccounts } from '@lanyard/database'
import type { Address } from 'viem'
import type { CallerContext } from './caller-context.ts'
import { findUser } from './require-user.ts'

/**
 * Requires, with a publishable key, the user's own token before an EOA that has an account becomes one itself. After
 * that, requests that name the EOA have to say which of the two they mean, so a third party could break an app's
 * requests for anybody.
 *
 * @throws UNAUTHORIZED without a user's token, FORBIDDEN with the token of another user
 */
export async function requireSecondKind(context: CallerContext, eoa: Address): Promise<void> {
  if (context.apiKey?.kind !== 'publishable') return
  const accounts = await findAccounts(context.services.database, eoa)
  if (accounts.length === 0 || accounts.some(({ address }) => address === eoa.toLowerCase())) return
  const userId = await findUser(context)
  if (userId === undefined) {
    throw new LanyardError('UNAUTHORIZED', {
      message:
        "This EOA has an account. Only its user may add another kind: send the user's token, or a secret API key.",
    })
  }
  if (accounts.some((account) => account.user_id === userId)) return
  throw new LanyardError('FORBIDDEN', { message: 'This EOA has an account of another user.' })
}
