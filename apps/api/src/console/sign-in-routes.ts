import { type Request, type Response, Router } from 'express'
import { callbackPath, type IdentityProvider, newFlowSecret } from '../domain/operators/identity-provider.ts'
import { signInFromProvider } from '../domain/operators/provider-sessions.ts'
import { ProviderRefusal, ProviderUnavailable } from '../platform/open-id/answers.ts'
import type { ConsoleServices } from './console-context.ts'
import { countCeremony } from './count-ceremony.ts'
import { readFlowCookie, writeFlowCookie, writeSessionCookie } from './session-cookie.ts'

/** Why a sign-in failed, as the page under `/denied/…` explains it. */
type Denial = 'no-group' | 'disabled' | 'other-browser' | 'refused' | 'unavailable'

interface SignInRoutes extends Pick<ConsoleServices, 'services' | 'countCeremony'> {
  readonly provider: IdentityProvider
  readonly origin: string
  readonly addressOf: (request: Request) => string
}

/** The sign-in at the identity provider: the way there, and the way back. */
export function createSignInRoutes(options: SignInRoutes): Router {
  const { services, provider, origin, addressOf } = options
  const isSecure = origin.startsWith('https:')
  const routes = Router()
  const queryOf = (request: Request) => new URL(request.originalUrl, origin).searchParams
  const deny = (response: Response, denial: Denial) => response.redirect(303, `${origin}/denied/${denial}`)

  routes.get('/sso/start', async (request, response) => {
    await countCeremony({ ...options, address: addressOf(request) })
    const secret = newFlowSecret()
    try {
      const url = await provider.authorizationUrl(secret)
      writeFlowCookie(response, isSecure, { secret, path: ownPath(queryOf(request).get('to'), origin) })
      response.redirect(303, url.href)
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      services.log.warn({ reason: error.message, cause: causeOf(error) }, 'no way to the identity provider')
      deny(response, 'unavailable')
    }
  })

  routes.get(callbackPath, async (request, response) => {
    await countCeremony({ ...options, address: addressOf(request) })
    const flow = readFlowCookie(request, isSecure)
    writeFlowCookie(response, isSecure, undefined)
    if (!flow) return deny(response, 'other-browser')
    try {
      const { claims, tokens } = await provider.signIn(queryOf(request).toString(), flow.secret)
      const { CONSOLE_OIDC_ROLES: mapping = [] } = services.env
      const result = await signInFromProvider(services.database, {
        ...{ claims, tokens, mapping, now: services.now(), address: addressOf(request) },
        userAgent: request.headers['user-agent'] ?? '',
      })
      if ('refused' in result) return deny(response, result.refused)
      writeSessionCookie(response, isSecure, result.token)
      response.redirect(303, `${origin}${ownPath(flow.path, origin)}`)
    } catch (error) {
      const isRefused = error instanceof ProviderRefusal
      if (!isRefused && !(error instanceof ProviderUnavailable)) throw error
      services.log.warn({ reason: error.message, cause: causeOf(error) }, 'a sign-in of an operator failed')
      deny(response, isRefused ? 'refused' : 'unavailable')
    }
  })
  return routes
}

/** Only the text: the rest of the library's errors may have tokens. */
const causeOf = ({ cause }: Error) => (cause instanceof Error ? cause.message : undefined)

/** A path of the console's own pages; any other address becomes the first page. */
function ownPath(text: string | null, origin: string): string {
  if (text === null || text.length > 1_000 || !URL.canParse(text, origin)) return '/'
  const { origin: other, pathname, search } = new URL(text, origin)
  const isPage = other === origin && !/^\/(\/|sso\/|denied\/|invitation)/.test(pathname)
  return isPage ? `${pathname}${search}` : '/'
}
