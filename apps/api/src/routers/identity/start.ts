import { endpoints } from '@lanyard/contracts'
import { requireOwnPage } from '../../domain/accounts/identities/require-own-page.ts'
import { implement } from '../../pipeline/implement.ts'

export const start = implement(endpoints.identity.start, async (request, { project }) => {
  requireOwnPage(project, request)
  return { url: await project.logins.authorizationUrl(request) }
})
