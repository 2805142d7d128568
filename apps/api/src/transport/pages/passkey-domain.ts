import { type RequestHandler, Router } from 'express'
import { relatedOrigins } from '../../domain/accounts/passkeys/relying-party.ts'
import type { Services } from '../../pipeline/services.ts'

/**
 * The pages of other domains that may use this domain's passkeys, at the path where browsers look for them
 * (WebAuthn L3 §5.11). The file does not exist if all ORIGINS are on RP_ID.
 */
export function relatedOriginsFile({ project }: Pick<Services, 'project'>): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  const origins = relatedOrigins(project.relyingParty)
  if (origins.length === 0) return router
  router.get('/.well-known/webauthn', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=300').json({ origins })
  })
  return router
}
