import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type RequestHandler, Router } from 'express'
import { documentationHeaders } from '../../http/headers.ts'
import { openApiDocument } from './document.ts'
import { errorPage } from './error-page.ts'
import { referencePage, startScript, styles, themeScript } from './reference/reference-page.ts'

const require = createRequire(import.meta.url)

/**
 * A bundle that needs nothing else: 218 kB compressed. Scalar's is 989 kB and Swagger UI's is 485 kB, and axe
 * finds unnamed fields in the latter.
 */
const explorer = require.resolve('openapi-explorer/dist/browser/openapi-explorer.min.js')

/** The OpenAPI document, a reference page for it, and the list of errors. */
export function documentation(): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const serveDocument = packedFile('json', () => JSON.stringify(openApiDocument()))
  router.get('/openapi.json', (request, response, next) => {
    response.set('Access-Control-Allow-Origin', '*')
    return serveDocument(request, response, next)
  })
  router.get('/docs/reference', documentationHeaders(), (_request, response) => {
    response.type('html').send(referencePage)
  })
  const errors = errorPage()
  router.get('/docs/errors', documentationHeaders(), (_request, response) => {
    response.type('html').send(errors)
  })
  router.get(
    '/docs/reference-explorer.js',
    packedFile('js', () => readFile(explorer, 'utf8')),
  )
  router.get(
    '/docs/reference.js',
    packedFile('js', () => startScript),
  )
  router.get(
    '/docs/reference-theme.js',
    packedFile('js', () => themeScript),
  )
  router.get(
    '/docs/reference.css',
    packedFile('css', () => styles),
  )
  return router
}

interface Representation {
  readonly bytes: Buffer
  readonly tag: string
}

/** Hashed here, since Express would hash the whole body again at each request, even a HEAD. */
const representation = (bytes: Buffer): Representation => ({
  bytes,
  tag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
})

/**
 * Serves a text that stays the same while the service runs, compressed if the client accepts it. It is
 * compressed and hashed once, at the first request.
 *
 * @param type - its media type, or the file extension of one
 * @param read - called once, at the first request
 */
function packedFile(type: string, read: () => string | Promise<string>): RequestHandler {
  let packing: Promise<{ readonly plain: Representation; readonly packed: Representation }> | undefined
  async function pack() {
    const plain = Buffer.from(await read())
    const packed = await promisify(gzip)(plain, { level: 9 })
    return { plain: representation(plain), packed: representation(packed) }
  }
  return async (request, response) => {
    packing ??= pack()
    const { plain, packed } = await packing
    response.vary('Accept-Encoding').type(type)
    const isPacked = Boolean(request.acceptsEncodings('gzip'))
    if (isPacked) response.set('Content-Encoding', 'gzip')
    const { bytes, tag } = isPacked ? packed : plain
    response.set('ETag', tag).send(bytes)
  }
}
