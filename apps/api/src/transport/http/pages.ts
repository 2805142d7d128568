import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { relatedOrigins } from '../../domain/accounts/passkeys/relying-party.ts'
import type { Services } from '../../pipeline/services.ts'
import { documentationHeaders } from './headers.ts'
import { plainPage } from './plain-page.ts'

/**
 * Whether the request is for a page, as browsers send it. Clients that accept anything (curl) get JSON, except
 * at the root.
 */
export function isPageRequest(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const preference = request.path === '/' ? ['html', 'json'] : ['json', 'html']
  return request.accepts(preference) === 'html'
}

const unknownPage = plainPage(
  'no such page',
  `<h1>There is no page at this address</h1>
      <p>Check the address for a typing error, or continue at <a href="/">the wallet</a>, the
        <a href="/docs/">documentation</a> or the <a href="/docs/reference">API reference</a>.</p>`,
)

const unknownPageHeaders = documentationHeaders()

/** Answers 404 with a page for people. */
export function sendUnknownPage(response: Response): void {
  unknownPageHeaders(response.req, response, () => {
    response.status(404).set('Cache-Control', 'no-store').type('html').send(unknownPage)
  })
}

/** In order of preference; the build writes them beside each text file (apps/wallet/scripts/compress.ts). */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

/**
 * Redirects a request for a file internally to its compressed version, if there is one that the browser
 * accepts.
 */
export function compressed(folder: string): RequestHandler {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return (request, response, next) => {
    const name = request.path.slice(1)
    if (!files.has(`${name}.br`)) return next()
    response.vary('Accept-Encoding')
    const encoding = encodings.find((candidate) => request.acceptsEncodings(candidate.name))
    if (!encoding) return next()
    response.type(extname(name)).set('Content-Encoding', encoding.name)
    request.url = `/${name}${encoding.extension}`
    next()
  }
}

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

const recoveryFile = fileURLToPath(new URL('../../../../recovery/dist/recovery.html', import.meta.url))

/** The path of the page; a recovery kit names it. */
const recoveryPath = '/recovery'

/** The path in older recovery kits. */
const formerPath = '/leave'

/**
 * The page with which an owner withdraws everything without the service (apps/recovery). The service serves
 * it so that it can be saved, and because passkeys work only on this domain.
 */
export function recoveryPage(): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  if (!existsSync(recoveryFile)) return router
  const page = readFileSync(recoveryFile, 'utf8')
  const [, policy = "default-src 'none'"] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
  router.get(formerPath, (_request, response) => response.redirect(308, recoveryPath))
  router.get(recoveryPath, (_request, response) => {
    response
      // The page's own policy, and the directive that works only in a header.
      .set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(page)
  })
  return router
}
