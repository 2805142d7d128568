import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { errorCodes, errorTable } from '@lanyard/contracts'
import { type RequestHandler, Router } from 'express'
import { documentationHeaders } from '../../http/headers.ts'
import { openApiDocument } from './document.ts'
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

const toText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Text of the service, in which back quotes mark code. */
const toHtml = (text: string) => toText(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const section = (code: (typeof errorCodes)[number]) => {
  const { status, message, why, todo } = errorTable[code]
  return `<h2 id="${code}">${code} <small>${status}</small></h2>
<p>${toHtml(message)}</p>
<p><b>Why:</b> ${toHtml(why)}</p>
<p><b>What to do:</b> ${toHtml(todo)}</p>`
}

/** The page that explains every code; error bodies link to it. */
const errorPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lanyard: errors</title>
<style>
:root { color-scheme: light dark }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h2 { font: 1rem ui-monospace, monospace; margin-top: 2rem }
h2:target { outline: 2px solid; outline-offset: 4px }
</style>
</head>
<body>
<h1>Errors</h1>
<p>Every error has a <code>code</code>; <a href="/docs/reference">the API reference</a> says which endpoint answers which.</p>
${errorCodes.map(section).join('\n')}
</body>
</html>
`
