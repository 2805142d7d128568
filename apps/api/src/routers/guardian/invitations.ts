import { endpoints } from '@lanyard/contracts'
import { requireUser } from '../../domain/accounts/callers/require-user.ts'
import { listInvitations } from '../../domain/owners/recovery/invitations.ts'
import { implement } from '../../pipeline/implement.ts'

export const invitations = implement(endpoints.guardian.invitations, async (_, context) => {
  const { database, now } = context.services
  return { invitations: await listInvitations(database, await requireUser(context), now()) }
})
