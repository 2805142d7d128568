import { LanyardError } from '@lanyard/contracts'
import { findAccount } from '@lanyard/database'
import type { Wallet } from '../accounts/kind.ts'
import { type CallerContext, findReader, findUser } from './caller.ts'

/**
 * Requires a caller that may reserve a wallet's balance: a server with a secret API key, or the wallet's own
 * user. A third party could otherwise freeze the balance by requesting solutions repeatedly. If every network
 * is a local one, any caller is allowed, because there is nothing to protect.
 *
 * Used by `computesolution` and by builds with an order, which reserve funds without a signature of the owner, and by the
 * ledger, which names counterparties and orders.
 *
 * @param isRead - nothing is reserved, so a token that only reads suffices
 * @throws UNAUTHORIZED without a user's token, FORBIDDEN with the token of another user
 */
export async function requireOrderAuthority(
  context: CallerContext,
  { address }: Pick<Wallet, 'address'>,
  { isRead = false }: { readonly isRead?: boolean } = {},
): Promise<void> {
  const { services, apiKey } = context
  if (services.networks.list().every(({ config }) => config.local)) return
  if (apiKey?.kind === 'secret') return
  const userId = await (isRead ? findReader : findUser)(context)
  if (userId === undefined) {
    throw new LanyardError('UNAUTHORIZED', {
      message: "This is the owner's: send the user's token, or a secret API key.",
    })
  }
  const account = await findAccount(services.database, address)
  if (account?.user_id === userId) return
  throw new LanyardError('FORBIDDEN', { message: "This is another user's account." })
}
