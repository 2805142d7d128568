import type { ServerResponse } from 'node:http'

/**
 * What `response.json` of Express does, but for what no answer of an endpoint needs (caches, ranges, settings of an app).
 * Head and body leave in one write, since the body is a text: bytes would be a second one.
 *
 * @param headers - names and values in turn, none of them twice; those that were set on the response go with them
 */
export function answerJson(
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  body: unknown,
): void {
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  response
    .writeHead(status, [
      ...headers,
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      length,
    ])
    .end(text)
}
