import { endpoints } from '@lanyard/contracts'
import { requireUser } from '../../domain/accounts/callers/caller.ts'
import { unlinkIdentity } from '../../domain/accounts/identities/identities.ts'
import { implement } from '../../pipeline/implement.ts'

export const unlink = implement(endpoints.identity.unlink, async ({ id }, context, keepAnswer) => {
  const userId = await requireUser(context)
  return context.services.database.transaction().execute(async (transaction) => {
    const { issuer } = await unlinkIdentity(transaction, { id, userId })
    const answer = { message: `${context.project.logins.nameOf(issuer)} no longer names this account.` }
    await keepAnswer?.(transaction, answer)
    return answer
  })
})
