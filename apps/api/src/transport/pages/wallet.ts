import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Request, type RequestHandler, Router } from 'express'
import { walletHeaders } from '../../http/headers.ts'
import { builtAssets, isPageRequest } from '../../http/pages.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Brand } from '../../platform/brand/read-brand.ts'
import { findEndpointAt } from '../../platform/endpoint-list.ts'

const built = fileURLToPath(new URL('../../../../wallet/dist/', import.meta.url))

/** Paths that are not pages of the wallet even when a browser navigates to them. */
const reserved = [
  /^\/docs(\/|$)/,
  /^\/openapi\.json$/,
  /^\/metrics$/,
  /^\/events$/,
  /^\/trpc(\/|$)/,
  /^\/(recovery|leave)$/,
]
const isPage = (path: string) =>
  findEndpointAt(path) === undefined && !reserved.some((pattern) => pattern.test(path))

/** Built files that other parties refer to by name, so their names contain no hash. */
const namedFiles = [
  'icon.svg',
  'icon-180.png',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'manifest.webmanifest',
  'offline.css',
  'offline.html',
  'offline.js',
  'sw.js',
  'theme.js',
]

/** The operator's variables, loaded before the first paint. The policy allows no inline style. */
const brandStyles = '/brand.css'

/** The popup through which a page of another origin uses the wallet. */
const connectPath = '/connect'

/**
 * The built web wallet (`apps/wallet/dist`): its files, and its page for every path that a browser navigates
 * to and that belongs to no endpoint. Without a build, or with WALLET=false, `/` redirects to the
 * documentation.
 */
export function wallet({
  env,
  apiKeys,
  project: { relyingParty, brand, logins },
}: Pick<Services, 'env' | 'apiKeys' | 'project'>): Router {
  const router = Router({ strict: true, caseSensitive: true })
  if (!env.WALLET || !existsSync(`${built}index.html`)) {
    router.get('/', (_request, response) => response.redirect(302, '/docs'))
    return router
  }
  router.use(builtAssets(built))
  const walletPage = { file: 'index.html', headers: walletHeaders('same-origin') }
  // The popup's opener is a page of another origin, and the two exchange messages.
  const connectPage = { file: 'connect.html', headers: walletHeaders('unsafe-none') }
  if (brand.isOwn) serveBrand(router, brand, walletPage.headers)
  for (const file of namedFiles) {
    // The policy of the worker's script applies to its requests, and that of the offline page to its
    // contents.
    router.get(`/${file}`, walletPage.headers, (_request, response) => {
      response
        .set('Cache-Control', file === 'sw.js' ? 'no-cache' : 'public, max-age=3600')
        .sendFile(file, { root: built, cacheControl: false, acceptRanges: false })
    })
  }
  // Not a route: Express would answer OPTIONS for it on every path.
  router.use(async (request, response, next) => {
    if (!isNavigation(request)) return next()
    // Browsers run no ceremony on an IP address (WebAuthn L3 §5.1.2: the RP ID is a domain).
    if (relyingParty.rpId === 'localhost' && request.hostname === '127.0.0.1') {
      return response.redirect(302, `http://localhost:${request.socket.localPort}${request.originalUrl}`)
    }
    const { file, headers } = request.path === connectPath ? connectPage : walletPage
    const page = await readFile(`${built}${file}`, 'utf8')
    headers(request, response, () => {
      response
        .set('Cache-Control', 'no-cache')
        .type('html')
        .send(withKey(withLogins(branded(page, brand), logins), apiKeys.walletKey?.text))
    })
  })
  return router
}

/** Serves the named files that a brand changes; the others follow it unchanged. */
function serveBrand(router: Router, brand: Brand, headers: RequestHandler): void {
  const { logo, css, palettes, shown } = brand
  const text = (file: string) => readFileSync(`${built}${file}`, 'utf8')
  const files: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    [brandStyles]: ['text/css', css],
    ...(logo && { '/icon.svg': [logo.type, logo.bytes] }),
    '/manifest.webmanifest': ['application/manifest+json', manifestOf(text('manifest.webmanifest'), brand)],
    '/offline.html': ['text/html', text('offline.html').replaceAll('Lanyard', () => escapeHtml(shown.name))],
    '/offline.css': [
      'text/css',
      `${text('offline.css')}:root {\n  color: light-dark(${palettes.light.ink}, ${palettes.dark.ink});\n  background: light-dark(${palettes.light.paper}, ${palettes.dark.paper});\n}\n`,
    ],
    // Another name of the cache makes browsers fetch the offline page again.
    '/sw.js': ['text/javascript', text('sw.js').replace(/'(offline-[^']+)'/, `'$1-${hashOf(brand)}'`)],
  }
  for (const [path, [type, body]] of Object.entries(files))
    router.get(path, headers, (_request, response) => {
      response
        .type(type)
        .set('Cache-Control', path === '/sw.js' || path === brandStyles ? 'no-cache' : 'public, max-age=3600')
        .send(body)
    })
}

const hashOf = ({ shown, css }: Brand) =>
  createHash('sha256').update(JSON.stringify(shown)).update(css).digest('hex').slice(0, 8)

function manifestOf(text: string, { shown, logo, palettes }: Brand): string {
  const manifest: { icons: unknown } = JSON.parse(text)
  return JSON.stringify({
    ...manifest,
    name: shown.name,
    short_name: shown.name,
    background_color: palettes.light.paper,
    theme_color: palettes.light.paper,
    icons: logo ? [{ src: shown.logo, sizes: 'any', type: logo.type, purpose: 'any' }] : manifest.icons,
  })
}

/** The page with the operator's name, logo, colours and settings (packages/ui/src/brand.ts reads them). */
function branded(page: string, brand: Brand): string {
  if (!brand.isOwn) return page
  const { shown, logo, palettes } = brand
  const settings = escapeHtml(JSON.stringify(shown))
  const named = page
    .replaceAll('Lanyard', () => escapeHtml(shown.name))
    .replace('content="#f7f8f5"', `content="${palettes.light.paper}"`)
    .replace('content="#101412"', `content="${palettes.dark.paper}"`)
    // Before `theme.js`, which reads the language.
    .replace('<head>', () => `<head><meta name="lanyard-brand" content="${settings}">`)
    .replace('</head>', `<link rel="stylesheet" href="${brandStyles}"></head>`)
  return logo
    ? named
        .replaceAll('"/icon.svg"', `"${shown.logo}"`)
        .replace(/<link rel="(?:icon|apple-touch-icon)"[^>]*>/g, (link) =>
          link.includes('apple') ? '' : `<link rel="icon" href="${shown.logo}" type="${logo.type}">`,
        )
    : named
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The page with the logins that it offers (packages/ui/src/brand.ts reads them), so that its first paint waits for no request. */
const withLogins = (page: string, { shown }: Pick<Services['project']['logins'], 'shown'>): string =>
  shown.length === 0
    ? page
    : page.replace(
        '</head>',
        () => `<meta name="lanyard-logins" content="${escapeHtml(JSON.stringify(shown))}"></head>`,
      )

/**
 * Inserts the publishable key into the page, where the wallet's client reads it
 * (apps/wallet/src/api/trpc.ts). A separate path would need another request before the first call, which
 * could fail.
 */
const withKey = (page: string, key: string | undefined): string =>
  key === undefined ? page : page.replace('</head>', `<meta name="lanyard-key" content="${key}"></head>`)

/** Whether a browser navigates to a page of the wallet. */
const isNavigation = (request: Request): boolean => isPage(request.path) && isPageRequest(request)
