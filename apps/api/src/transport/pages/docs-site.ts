import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express, { type RequestHandler, Router } from 'express'
import { documentationHeaders, siteHeaders } from '../../http/headers.ts'
import { compressed, immutable, isPageRequest } from '../../http/pages.ts'
import { plainPage } from '../../http/plain-page.ts'

const dist = fileURLToPath(new URL('../../../../docs/dist/', import.meta.url))
const homeIn = (folder: string) => `${folder}index.html`

/**
 * The built documentation, below `/docs`. `npm start` builds it while the service runs, so its existence is
 * checked at each request. Without a build, the next handler answers.
 *
 * @param folder - ends with a slash; `apps/docs/dist` if absent
 */
export function docsSite(folder: string = dist): Router {
  const home = homeIn(folder)
  const router = Router({ strict: true, caseSensitive: true })
  let site: { readonly at: number; readonly router: Router } | undefined
  // Programs look for them at the root (llmstxt.org).
  for (const name of ['/llms.txt', '/llms-full.txt'])
    router.get(name, (_request, response) => response.redirect(302, `/docs${name}`))
  router.use('/docs', (request, response, next) => {
    if (!existsSync(home)) return next()
    const at = statSync(home).mtimeMs
    if (site?.at !== at) site = { at, router: openSite(folder) }
    site.router(request, response, next)
  })
  return router
}

function openSite(built: string): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const files = new Set(readdirSync(built, { recursive: true, encoding: 'utf8' }))
  const headers = siteHeaders(scriptHashes(readFileSync(homeIn(built), 'utf8')))
  // Requests for a page omit the file extension.
  router.use((request, response, next) => {
    const path = request.path.slice(1)
    const page = [`${path}index.html`, `${path}.html`].find((name) => files.has(name))
    if (path !== '' && files.has(path) && !page) return next()
    if (!page) return next('router')
    request.url = `/${page}`
    headers(request, response, next)
  })
  router.use(
    compressed(built),
    express.static(built, {
      index: false,
      redirect: false,
      cacheControl: false,
      acceptRanges: false,
      setHeaders: (response, path) => {
        response.setHeader('Cache-Control', cachingOf(path.slice(built.length)))
      },
    }),
  )
  return router
}

/** The names of assets contain a hash of their contents. */
function cachingOf(file: string): string {
  if (file.startsWith('assets/')) return immutable
  return /\.html(\.\w+)?$/.test(file) ? 'no-cache' : 'public, max-age=3600'
}

/**
 * Hashes of the inline scripts of a page: VitePress sets the theme before the first paint. They are the same
 * on all pages.
 */
const scriptHashes = (page: string): readonly string[] =>
  [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/**
 * Answers a browser's request for a page below `/docs` that does not exist: with the site's own page, which has
 * its search and its menu. It comes after all pages that are not part of the site.
 *
 * @param folder - as of {@link docsSite}
 */
export function unknownDocsPage(folder: string = dist): Router {
  const file = `${folder}404.html`
  const router = Router({ strict: true, caseSensitive: true })
  let kept: { readonly at: number; readonly page: string; readonly headers: RequestHandler } | undefined
  router.use('/docs', (request, response, next) => {
    if (!isPageRequest(request) || !existsSync(file)) return next()
    const at = statSync(file).mtimeMs
    if (kept?.at !== at) {
      const page = readFileSync(file, 'utf8')
      kept = { at, page, headers: siteHeaders(scriptHashes(page)) }
    }
    const { page, headers } = kept
    headers(request, response, () => {
      response.status(404).set('Cache-Control', 'no-cache').type('html').send(page)
    })
  })
  return router
}

/**
 * Says below `/docs` that the site is not built yet, in a page that loads itself again. It comes after the pages that
 * need no build.
 *
 * @param folder - as of {@link docsSite}
 */
export function unbuiltDocsSite(folder: string = dist): Router {
  const router = Router({ strict: true, caseSensitive: true })
  router.get(['/docs', '/docs/{*page}'], documentationHeaders(), (_request, response, next) => {
    if (existsSync(homeIn(folder))) return next()
    response.status(503).set('Retry-After', String(untilNextLook)).type('html').send(notBuilt)
  })
  return router
}

/** Seconds after which a browser looks again whether the site is built. */
const untilNextLook = 5

const notBuilt = plainPage(
  'documentation',
  `<h1>The documentation is being built</h1>
      <p>After <code>npm start</code> this takes up to a minute. This page loads itself again until it is there.</p>
      <p>The <a href="/docs/reference">API reference</a> and the <a href="/docs/errors">list of errors</a> are here already.</p>
      <p>If nothing happens, build it with <code>npx pnpm --filter @lanyard/docs build</code>, or read the folder
        <code>docs</code>.</p>`,
  untilNextLook,
)
