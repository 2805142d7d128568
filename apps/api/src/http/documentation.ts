import { createRequire } from 'node:module'
import { Router } from 'express'
import { openApiDocument } from '../openapi/document.ts'
import { documentationHeaders } from './security-headers.ts'

/** RapiDoc's web component: one script without dependencies, served from the installed package. */
const scriptPath = createRequire(import.meta.url).resolve('rapidoc/dist/rapidoc-min.js')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lanyard: API reference</title>
    <script type="module" src="/docs/rapidoc.js"></script>
  </head>
  <body>
    <rapi-doc spec-url="/openapi.json" render-style="focused" load-fonts="false" allow-spec-url-load="false"
      allow-spec-file-load="false" show-header="false" schema-description-expanded="true"
      use-path-in-nav-bar="true"></rapi-doc>
  </body>
</html>
`

/** The OpenAPI document, and a reference page over it. */
export function documentation(): Router {
  const document = JSON.stringify(openApiDocument())
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/', (_request, response) => response.redirect(302, '/docs'))
  router.get('/openapi.json', (_request, response) => {
    response.set('Access-Control-Allow-Origin', '*').type('json').send(document)
  })
  router.get('/docs', documentationHeaders(), (_request, response) => {
    response.type('html').send(page)
  })
  router.get('/docs/rapidoc.js', (_request, response) => {
    response.sendFile(scriptPath, { cacheControl: true, maxAge: '1h' })
  })
  return router
}
