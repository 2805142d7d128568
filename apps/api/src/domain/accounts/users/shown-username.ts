import type { AccountWithUser } from '@lanyard/database'
import { type CallerContext, findReader } from '../callers/caller.ts'

/**
 * The name of an account's user, for a caller who knows only an address. As in searches, a name with an @ may be an e-mail
 * address: it is for servers and its user alone.
 *
 * @returns undefined if it is not for this caller
 */
export async function shownUsername(
  context: CallerContext,
  { username, user_id }: Pick<AccountWithUser, 'username' | 'user_id'>,
): Promise<string | undefined> {
  if (!username.includes('@') || context.apiKey?.kind === 'secret') return username
  // An invalid token counts as none: neither answer needs one.
  const userId = await findReader(context).catch(() => undefined)
  return userId === user_id ? username : undefined
}
