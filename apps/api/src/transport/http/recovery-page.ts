import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RequestHandler, Router } from 'express'

const built = fileURLToPath(new URL('../../../../recovery/dist/recovery.html', import.meta.url))

/** Where the page is served; a recovery kit names it. */
const recoveryPath = '/recovery'

/** Where older recovery kits say that it is. */
const formerPath = '/leave'

/**
 * The page with which an owner takes everything out without the service (apps/recovery). It is served for as long as the
 * service lives, so that it can be saved, and because passkeys work on this domain only.
 */
export function recoveryPage(): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  if (!existsSync(built)) return router
  const page = readFileSync(built, 'utf8')
  const [, policy = "default-src 'none'"] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
  router.get(formerPath, (_request, response) => response.redirect(308, recoveryPath))
  router.get(recoveryPath, (_request, response) => {
    response
      // The page's own policy, and what only a header can say.
      .set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(page)
  })
  return router
}
