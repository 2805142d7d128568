import { createRequire } from 'node:module'
import { Router } from 'express'
import { errorPage } from '../http/error-page.ts'
import { documentationHeaders } from '../http/security-headers.ts'
import { openApiDocument } from './document.ts'

const require = createRequire(import.meta.url)

/**
 * Swagger UI, served from the installed package. It has no dependencies; Scalar would install 27 packages.
 */
const assets = new Map(
  ['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => [
    name,
    require.resolve(`swagger-ui-dist/${name}`),
  ]),
)

/** A separate file, since the page's policy allows no inline script. */
const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  persistAuthorization: false,
})
`

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lanyard: API reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <script defer src="/docs/swagger-ui-bundle.js"></script>
    <script defer src="/docs/start.js"></script>
  </head>
  <body>
    <div id="reference"></div>
  </body>
</html>
`

/** The OpenAPI document, a reference page for it, and the list of errors. */
export function documentation(): Router {
  const document = JSON.stringify(openApiDocument())
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/openapi.json', (_request, response) => {
    response.set('Access-Control-Allow-Origin', '*').type('json').send(document)
  })
  router.get('/docs/reference', documentationHeaders(), (_request, response) => {
    response.type('html').send(page)
  })
  const errors = errorPage()
  router.get('/docs/errors', documentationHeaders(), (_request, response) => {
    response.type('html').send(errors)
  })
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(startScript)
  })
  for (const [name, file] of assets) {
    router.get(`/docs/${name}`, (_request, response) => {
      response.set('Cache-Control', 'public, max-age=3600')
      response.sendFile(file, { cacheControl: false, acceptRanges: false, dotfiles: 'allow' })
    })
  }
  return router
}
