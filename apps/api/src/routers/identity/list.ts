import { endpoints } from '@lanyard/contracts'
import { requireReader } from '../../domain/accounts/callers/caller.ts'
import { listIdentities, toIdentity } from '../../domain/accounts/identities/identities.ts'
import { implement } from '../../pipeline/implement.ts'

export const list = implement(endpoints.identity.list, async (_, context) => {
  const rows = await listIdentities(context.services.database, await requireReader(context))
  return { identities: rows.map((row) => toIdentity(context.project.logins, row)) }
})
