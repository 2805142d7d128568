import { identityNonce } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findAnyUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { requireUser } from '../../domain/accounts/callers/caller.ts'
import { linkIdentity, toIdentity } from '../../domain/accounts/identities/identities.ts'
import { implement } from '../../pipeline/implement.ts'

export const link = implement(endpoints.identity.link, async ({ idToken }, context) => {
  const { services, project } = context
  const userId = await requireUser(context)
  const { address: account } = await findAnyUserWallet(services.database, userId)
  // Without this, a thief could link a login that they stole a token of to their own account: its person would pay into it.
  const login = await project.logins.verify(idToken, identityNonce({ act: 'link', account }))
  const row = await services.database
    .transaction()
    .execute((transaction) => linkIdentity(transaction, login, { userId, now: services.now() }))
  return toIdentity(project.logins, row)
})
