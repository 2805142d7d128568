import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { endpointList, type NamedEndpoint } from '../endpoint-list.ts'
import { takesIdempotencyKey } from '../idempotency/unkeyed-endpoints.ts'
import { version } from '../version.ts'
import { idempotencyHeaders } from './headers.ts'
import { responsesOf } from './responses.ts'
import { simplifySchema } from './simplify-schema.ts'

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What anyone may call without credentials. */
const openPaths: readonly string[] = ['/health']

function operationOf({ noun, verb, declaration }: NamedEndpoint): ZodOpenApiOperationObject {
  const { tag, summary, description, query, body, path } = declaration
  const keyed = takesIdempotencyKey(declaration)
  return {
    operationId: `${noun}${capitalized(verb)}`,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...((query || keyed) && {
      requestParams: { ...(query && { query }), ...(keyed && { header: idempotencyHeaders }) },
    }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: responsesOf(declaration),
    ...(openPaths.includes(path) && { security: [] }),
  }
}

/** The OpenAPI document of the whole table of endpoints. */
export function openApiDocument() {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpointList) {
    const { method, path } = endpoint.declaration
    paths[path] = { [method === 'GET' ? 'get' : 'post']: operationOf(endpoint) }
  }
  const tags = [...new Set(endpointList.map(({ declaration }) => declaration.tag))]
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Lanyard',
        version,
        description:
          'Self-hosted smart account wallets on several EVM networks. Amounts are decimal strings in base units; addresses are checksummed; every error has the body `Error`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: tags.map((name) => ({ name })),
      // An empty requirement: without configured keys, none is needed.
      security: [{}, { apiKey: [] }, { bearer: [] }],
      paths,
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'An API key of this service.',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, or the token of a user where an endpoint is private to them.',
          },
        },
      },
    },
    { override: simplifySchema },
  )
}
