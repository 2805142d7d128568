import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RequestHandler, Router } from 'express'

const folder = fileURLToPath(new URL('../../../../recovery/dist/', import.meta.url))
const recoveryFile = `${folder}recovery.html`

/** The path of the page; a recovery kit names it. */
const recoveryPath = '/recovery'

/** Files to save: the pages that take keys, which work so only from a disk, and their hashes. A browser never shows them here. */
const files = ['recovery.html', 'recovery.html.sha256', 'lanyard-key.html', 'lanyard-key.html.sha256']

/** The path in older recovery kits. */
const formerPath = '/leave'

/**
 * The page with which an owner withdraws everything without the service (apps/recovery). The service serves
 * it so that it can be saved, and because passkeys work only on this domain. Shown from here, the page takes no words and no
 * key: what an operator serves, an operator can change.
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
  for (const name of files.filter((one) => existsSync(folder + one))) {
    const content = readFileSync(folder + name)
    router.get(`/${name}`, (_request, response) => {
      response.set('Cache-Control', 'no-cache').attachment(name).send(content)
    })
  }
  return router
}
