import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'
import { compressed } from './compressed.ts'
import { siteHeaders } from './security-headers.ts'

const built = fileURLToPath(new URL('../../../../docs/dist/', import.meta.url))
const home = `${built}index.html`

/**
 * The built documentation (`apps/docs/dist`), below `/docs`. `npm start` builds it while the service runs, so
 * its existence is checked at each request. Without a build, the next handler answers.
 */
export function docsSite(): Router {
  const router = Router({ strict: true, caseSensitive: true })
  let site: { readonly at: number; readonly router: Router } | undefined
  router.use('/docs', (request, response, next) => {
    if (!existsSync(home)) return next()
    const at = statSync(home).mtimeMs
    if (site?.at !== at) site = { at, router: openSite() }
    site.router(request, response, next)
  })
  return router
}

function openSite(): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const files = new Set(readdirSync(built, { recursive: true, encoding: 'utf8' }))
  const headers = siteHeaders(scriptHashes(readFileSync(home, 'utf8')))
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
      setHeaders: (response, path) => response.setHeader('Cache-Control', cachingOf(path)),
    }),
  )
  return router
}

/** The names of assets contain a hash of their contents. */
function cachingOf(file: string): string {
  if (file.startsWith(`${built}assets/`)) return 'public, max-age=31536000, immutable'
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
