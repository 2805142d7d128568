import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import type { RequestHandler } from 'express'

/** In order of preference; the build writes them beside each text file (apps/wallet/scripts/compress.ts). */
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
    const encoding = encodings.find((candidate) => request.acceptsEncodings(candidate.name))
    if (!encoding) return next()
    response.type(extname(name)).set('Content-Encoding', encoding.name)
    request.url = `/${name}${encoding.extension}`
    next()
  }
}
