import type { Request, Response } from 'express'
import { documentationHeaders } from './headers.ts'

/**
 * Whether the request is for a page, as browsers send it. Clients that accept anything (curl) get JSON, except
 * at the root.
 */
export function isPageRequest(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const preference = request.path === '/' ? ['html', 'json'] : ['json', 'html']
  return request.accepts(preference) === 'html'
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Lanyard: no such page</title>
    <style>body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }</style>
  </head>
  <body>
    <main>
      <h1>There is no page at this address</h1>
      <p>Check the address for a typing error, or continue at <a href="/">the wallet</a>, the
        <a href="/docs/">documentation</a> or the <a href="/docs/reference">API reference</a>.</p>
    </main>
  </body>
</html>
`

const headers = documentationHeaders()

/** Answers 404 with a page for people. */
export function sendUnknownPage(response: Response): void {
  headers(response.req, response, () => {
    response.status(404).set('Cache-Control', 'no-store').type('html').send(page)
  })
}
