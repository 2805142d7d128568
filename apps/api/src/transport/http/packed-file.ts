import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestHandler } from 'express'

/**
 * Serves a text that stays the same while the service runs, compressed if the client accepts it. It is
 * compressed once, at the first request.
 *
 * @param type - its media type, or the file extension of one
 * @param read - called once, at the first request
 */
export function packedFile(type: string, read: () => string | Promise<string>): RequestHandler {
  let packing: Promise<{ readonly text: string; readonly packed: Buffer }> | undefined
  async function pack() {
    const text = await read()
    return { text, packed: await promisify(gzip)(text, { level: 9 }) }
  }
  return async (request, response) => {
    packing ??= pack()
    const { text, packed } = await packing
    response.vary('Accept-Encoding').type(type)
    if (!request.acceptsEncodings('gzip')) return void response.send(text)
    response.set('Content-Encoding', 'gzip').send(packed)
  }
}
