import {
  type EndpointDeclaration,
  type ErrorCode,
  endpoints,
  errorBody,
  errorsOf,
  errorTable,
  statusOf,
} from '@lanyard/contracts'
import { z } from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import {
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  takesIdempotencyKey,
} from '../../pipeline/idempotency/key-format.ts'
import { endpointList, type NamedEndpoint } from '../../platform/endpoint-list.ts'
import { version } from '../../platform/version.ts'
import { addExamples } from './examples.ts'

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Paths that are public without credentials. */
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

/** Descriptions of the endpoints of each tag. */
const tagDescriptions: Readonly<Record<string, string>> = {
  'EOA smart accounts': 'Smart accounts whose first owner is an EOA: create, build, sign, submit, follow.',
  Connect: 'Calls that pages on other origins make without a key (`@lanyard/connect`).',
  Logins: 'Logins at identity providers. They name a user, read, and ask guardians; they sign nothing.',
  Messages: 'Messages and typed data that a smart account signs (ERC-1271, ERC-6492).',
  Owners: 'The owners of an account on each network, signing in as an owner, and recovery.',
  'Passkey accounts': 'Smart accounts whose first owner is a passkey (WebAuthn), and their operations.',
  Service: 'The state of the service, and its networks.',
  'Session keys': 'Keys that may act for an account within limits, for a limited time.',
  'Smart balance': 'One balance over several networks: quotes, orders, deposits and withdrawals.',
  Users: 'Users by name or by the address of their wallet.',
  Wallet: 'What the web wallet shows: balances, activity, incoming transfers.',
}

/**
 * Allows additional members: a later version may add some, and a client that validates answers by this
 * document must still accept them.
 */
function openAnswers(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if (Reflect.get(node, 'additionalProperties') === false)
    Reflect.deleteProperty(node, 'additionalProperties')
  for (const member of Object.values(node)) openAnswers(member)
}

/** The OpenAPI document for the whole table of endpoints. */
export function openApiDocument() {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpointList) {
    const { method, path } = endpoint.declaration
    paths[path] = { [method === 'GET' ? 'get' : 'post']: operationOf(endpoint) }
  }
  const tags = [...new Set(endpointList.map(({ declaration }) => declaration.tag))]
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Lanyard',
        version,
        description:
          'Self-hosted smart account wallets on several EVM networks. Amounts are decimal strings in base units. Addresses are checksummed. Every error has the body `Error`.',
        contact: { name: 'The operator of this service' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
      // An empty requirement: credentials are optional if no keys are configured.
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
            description: "An API key, or a user's token for endpoints with private data.",
          },
        },
      },
    },
    { override: simplifySchema },
  )
  openAnswers(document)
  addExamples(document)
  return document
}

/** Every code that an endpoint can answer, grouped by its status there. */
function codesByStatus(declaration: EndpointDeclaration): Map<number, ErrorCode[]> {
  const keyed: readonly ErrorCode[] = takesIdempotencyKey(declaration)
    ? ['IDEMPOTENCY_MISMATCH', 'REQUEST_IN_PROGRESS']
    : []
  const codes = new Set<ErrorCode>([...errorsOf(declaration), ...keyed])
  const statuses = [...codes].map((code) => [statusOf(code, declaration), code] as const)
  const grouped = Map.groupBy(statuses, ([status]) => status)
  return new Map(
    [...grouped].sort(([a], [b]) => a - b).map(([status, pairs]) => [status, pairs.map(([, code]) => code)]),
  )
}

const describeCodes = (codes: readonly ErrorCode[]) =>
  codes.map((code) => `- \`${code}\`: ${errorTable[code].message}`).join('\n')

// The table has only 4xx and 5xx statuses; the type requires the first digit.
const statusKey = (status: number) => String(status) as `4${string}` | `5${string}`

/** The answers of an endpoint: its output, and its errors grouped by status, with every code. */
function responsesOf(declaration: EndpointDeclaration): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    '200': { description: 'Success', content: { 'application/json': { schema: declaration.output } } },
  }
  for (const [status, codes] of codesByStatus(declaration)) {
    responses[statusKey(status)] = {
      description: describeCodes(codes),
      content: { 'application/json': { schema: errorBody } },
      ...(status === errorTable.RATE_LIMITED.status && { headers: retryHeaders }),
      'x-lanyard-codes': codes,
    }
  }
  if (declaration === endpoints.system.health) {
    responses['503'] = {
      description: 'The service cannot work: no database, or no network.',
      content: { 'application/json': { schema: declaration.output } },
    }
  }
  return responses
}

type Override = Extract<NonNullable<CreateDocumentOptions['override']>, (...parameters: never[]) => unknown>

/**
 * Removes parts that would confuse readers of the document: the lenient alternatives of an input whose
 * canonical type is declared, the pattern that validates a date and time, and the pattern of an integer.
 */
const simplifySchema: Override = ({ jsonSchema }) => {
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern
}

/** The additional request headers of a mutation. */
const idempotencyHeaders = z.object({
  [idempotencyKeyHeader]: z
    .string()
    .regex(idempotencyKeyPattern)
    .optional()
    .meta({
      description:
        'A text of your choice, such as a new UUID, that makes a retry safe. For 24 hours, the same key with the same request gets the first answer again (with `Idempotency-Replayed: true`), and with another request it is rejected. If the first request failed for a temporary reason (5xx, a lack of funds), it runs again.',
      param: { id: 'IdempotencyKey' },
    }),
})

/** The headers of an answer that says when to try again. */
const retryHeaders = z.object({
  'Retry-After': z
    .int()
    .min(1)
    .max(3600)
    .meta({ description: 'Seconds.', header: { id: 'RetryAfter' } }),
  'RateLimit-Policy': z.string().meta({
    description: 'Each limit and its window in seconds.',
    example: '"calls";q=600;w=60',
    header: { id: 'RateLimitPolicy' },
  }),
  RateLimit: z.string().meta({
    description: 'What is left of each limit, and the seconds until it is full again.',
    example: '"calls";r=0;t=12',
    header: { id: 'RateLimit' },
  }),
})
