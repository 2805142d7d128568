import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RequestHandler, Router } from 'express'

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
