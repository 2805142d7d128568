import { type RequestHandler, Router } from 'express'
import { domainFiles } from '../../domain/accounts/passkeys/domain-files.ts'
import type { Services } from '../../pipeline/services.ts'

/**
 * The pages of other domains and the apps that may use this domain's passkeys, at the paths where browsers and phones look
 * for them. A file without an entry is not served.
 */
export function passkeyDomainFiles({ project }: Pick<Services, 'project'>): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  for (const { path, content } of domainFiles(project.relyingParty)) {
    router.get(path, (_request, response) => {
      response.set('Cache-Control', 'public, max-age=300').json(content)
    })
  }
  return router
}
