import { endpoints } from '@lanyard/contracts'
import { findUserWallet } from '../../domain/accounts/accounts/find-user-wallet.ts'
import { requireUser } from '../../domain/accounts/callers/require-user.ts'
import { invite as createInvitation } from '../../domain/owners/recovery/invitations.ts'
import { implement } from '../../pipeline/implement.ts'

export const invite = implement(endpoints.guardian.invite, async ({ label }, context) => {
  const { database, now } = context.services
  const userId = await requireUser(context)
  await findUserWallet(database, userId)
  return createInvitation(database, { userId, label, now: now() })
})
