import { endpoints } from '@lanyard/contracts'
import { requireOwnPage } from '../../domain/accounts/identities/require-own-page.ts'
import { implement } from '../../pipeline/implement.ts'

export const exchange = implement(endpoints.identity.exchange, async (code, { project }) => {
  requireOwnPage(project, code)
  return { idToken: await project.logins.exchange(code) }
})
