import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, Router } from 'express'
import type { Services } from '../../pipeline/services.ts'
import { endpointList } from '../../platform/endpoint-list.ts'
import { walletHeaders } from './security-headers.ts'

const built = fileURLToPath(new URL('../../../../wallet/dist/', import.meta.url))

/** Paths that are not pages of the wallet even when a browser goes there. */
const reserved = [
  /^\/docs(\/|$)/,
  /^\/openapi\.json$/,
  /^\/metrics$/,
  /^\/trpc(\/|$)/,
  /^\/(recovery|leave)$/,
]
const declared = new Set<string>(endpointList.map(({ declaration }) => declaration.path))
const isPage = (path: string) => !declared.has(path) && !reserved.some((pattern) => pattern.test(path))

/** The names of built files carry a hash of what is in them. */
const immutable = 'public, max-age=31536000, immutable'

/**
 * The web wallet, as it was built (`apps/wallet/dist`): its files, and its page for every path that a browser goes to
 * and that is no endpoint's. Without a build, or with WALLET=false, `/` leads to the API reference.
 */
export function wallet({
  env,
  relyingParty,
  apiKeys,
}: Pick<Services, 'env' | 'relyingParty' | 'apiKeys'>): Router {
  const router = Router({ strict: true, caseSensitive: true })
  if (!env.WALLET || !existsSync(`${built}index.html`)) {
    router.get('/', (_request, response) => response.redirect(302, '/docs'))
    return router
  }
  router.use(
    '/assets',
    compressed(`${built}assets`),
    express.static(`${built}assets`, {
      index: false,
      cacheControl: false,
      acceptRanges: false,
      setHeaders: (response) => response.setHeader('Cache-Control', immutable),
    }),
  )
  for (const file of ['icon.svg', 'manifest.webmanifest', 'theme.js']) {
    router.get(`/${file}`, (_request, response) => {
      response
        .set('Cache-Control', 'public, max-age=3600')
        .sendFile(file, { root: built, cacheControl: false, acceptRanges: false })
    })
  }
  const headers = walletHeaders()
  // Not a route: Express would answer OPTIONS for it on every path.
  router.use(async (request, response, next) => {
    if (!isNavigation(request)) return next()
    // Browsers hold no ceremony on an IP address (WebAuthn L3 §5.1.2: the RP ID is a domain).
    if (relyingParty.rpId === 'localhost' && request.hostname === '127.0.0.1') {
      return response.redirect(302, `http://localhost:${request.socket.localPort}${request.originalUrl}`)
    }
    const page = await readFile(`${built}index.html`, 'utf8')
    headers(request, response, () => {
      response.set('Cache-Control', 'no-cache').type('html').send(withKey(page, apiKeys.walletKey?.text))
    })
  })
  return router
}

/** In the sequence in which they are preferred; the build writes them beside each text (apps/wallet/scripts/compress.ts). */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

/** Leads a request for a file to its compressed twin, where there is one that the browser takes. */
function compressed(folder: string): RequestHandler {
  const files = new Set(readdirSync(folder))
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
 * The page with its publishable key in it, where the wallet's client reads it (apps/wallet/src/api/page-key.ts). In the
 * page rather than behind a path of its own: no request more before the first call, and nothing that could fail.
 */
const withKey = (page: string, key: string | undefined): string =>
  key === undefined ? page : page.replace('</head>', `<meta name="lanyard-key" content="${key}"></head>`)

/** A browser goes to a page of the wallet. Who takes anything (curl) gets the page at the root only. */
function isNavigation(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const preference = request.path === '/' ? ['html', 'json'] : ['json', 'html']
  return isPage(request.path) && request.accepts(preference) === 'html'
}
