import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import { LanyardError } from '@lanyard/contracts'
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { documentationHeaders } from './headers.ts'
import { plainPage } from './plain-page.ts'

/**
 * Whether the request is for a page, as browsers send it. Clients that accept anything (curl) get JSON, except
 * at the root.
 */
export function isPageRequest(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const preference = request.path === '/' ? ['html', 'json'] : ['json', 'html']
  return request.accepts(preference) === 'html'
}

const unknownPage = plainPage(
  'no such page',
  `<h1>There is no page at this address</h1>
      <p>Check the address for a typing error, or continue at <a href="/">the wallet</a>, the
        <a href="/docs/">documentation</a> or the <a href="/docs/reference">API reference</a>.</p>`,
)

const unknownPageHeaders = documentationHeaders()

/** Answers 404 with a page for people. */
export function sendUnknownPage(response: Response): void {
  unknownPageHeaders(response.req, response, () => {
    response.status(404).set('Cache-Control', 'no-store').type('html').send(unknownPage)
  })
}

/** In order of preference; the build writes them beside each text file (packages/ui/build). `@lanyard/service` leaves some out. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

/**
 * Redirects a request for a file internally to its compressed version, if there is one that the browser
 * accepts.
 */
export function compressed(folder: string): RequestHandler {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return (request, response, next) => {
    const name = request.path.slice(1)
    if (!files.has(`${name}.br`)) return next()
    response.vary('Accept-Encoding')
    const encoding = encodings.find(
      (candidate) => files.has(`${name}${candidate.extension}`) && request.acceptsEncodings(candidate.name),
    )
    if (!encoding) return next()
    response.type(extname(name)).set('Content-Encoding', encoding.name)
    request.url = `/${name}${encoding.extension}`
    next()
  }
}

/** The names of built files contain a hash of their contents. */
export const immutable = 'public, max-age=31536000, immutable'

/**
 * The scripts, styles and fonts of built pages, at `/assets`. A page loads some thirty of them, so they carry no header without use:
 * their contents never change, so there is nothing to revalidate, and they are no documents, so they have no opener.
 *
 * @param built - the folder of the pages, with a slash at its end
 */
export const builtAssets = (built: string): Router =>
  Router().use(
    '/assets',
    compressed(`${built}assets`),
    express.static(`${built}assets`, {
      ...{ index: false, cacheControl: false, acceptRanges: false, etag: false, lastModified: false },
      setHeaders(response) {
        response.setHeader('Cache-Control', immutable)
        response.removeHeader('Cross-Origin-Opener-Policy')
      },
    }),
  )

/**
 * A file whose precondition fails (RFC 9110 §13.1). The headers that describe the file do not apply to the
 * error.
 */
export const failedPrecondition: ErrorRequestHandler = (error, _request, response, next) => {
  if (Reflect.get(Object(error), 'statusCode') !== 412) return next(error)
  for (const name of ['Content-Type', 'ETag', 'Last-Modified']) response.removeHeader(name)
  response.setHeader('Cache-Control', 'no-store')
  next(new LanyardError('INVALID_INPUT', { issues: [{ path: '', message: 'A precondition failed' }] }))
}
