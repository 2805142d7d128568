import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RequestHandler, Router } from 'express'

const built = fileURLToPath(new URL('../../../../leave/dist/leave.html', import.meta.url))

/** Where the page is served; a recovery kit names it. */
const leavePath = '/leave'

/**
 * The page with which an owner takes everything out without the service (apps/leave). It is served for as long as the
 * service lives, so that it can be saved, and because passkeys work on this domain only.
 */
export function leave(): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  if (!existsSync(built)) return router
  const page = readFileSync(built, 'utf8')
  const [, policy = "default-src 'none'"] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
  router.get(leavePath, (_request, response) => {
    response
      // The page's own policy, and what only a header can say.
      .set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(page)
  })
  return router
}
