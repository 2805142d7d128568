import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'
import { compressed } from './compressed.ts'
import { siteHeaders } from './security-headers.ts'

const built = fileURLToPath(new URL('../../../../docs/dist/', import.meta.url))
const home = `${built}index.html`

/**
 * The documentation as it was built (`apps/docs/dist`), below `/docs`. `npm start` builds it while the service runs, so it
 * is looked for at each request; without a build, the next handler answers.
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
  // A page is asked for without the end of its name.
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

/** The names of assets carry a hash of what is in them. */
function cachingOf(file: string): string {
  if (file.startsWith(`${built}assets/`)) return 'public, max-age=31536000, immutable'
  return /\.html(\.\w+)?$/.test(file) ? 'no-cache' : 'public, max-age=3600'
}

/** Of the scripts that stand in a page itself: VitePress chooses the theme before the first paint. They are the same in all. */
const scriptHashes = (page: string): readonly string[] =>
  [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
