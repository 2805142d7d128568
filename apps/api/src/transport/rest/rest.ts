import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDeclaration, endpoints, type InputIssue, LanyardError, memo } from '@lanyard/contracts'
import { admit, routePolicyOf } from '../../http/admit.ts'
import { sendJson } from '../../http/headers.ts'
import { currentRequest } from '../../http/http-request-context.ts'
import { maxBodyOf } from '../../http/limits.ts'
import { type ReadQuery, readBody, readQuery } from '../../http/read-request.ts'
import { replyError } from '../../http/reply-error.ts'
import { callOf } from '../../pipeline/procedure-of.ts'
import { endpointList } from '../../platform/endpoint-list.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import { appRouter } from '../../routers/router.ts'

const isSame = (bodyValue: unknown, queryValue: string | undefined) =>
  (typeof bodyValue === 'object' && bodyValue !== null ? undefined : String(bodyValue)) === queryValue

interface DeclaredNames {
  readonly queryNames: readonly string[]
  readonly bodyNames: readonly string[]
  readonly declared: ReadonlySet<string>
}

const namesOf = memo((declaration: EndpointDeclaration): DeclaredNames => {
  const queryNames = Object.keys(declaration.query?.shape ?? {})
  const bodyNames = Object.keys(declaration.body?.shape ?? {})
  return { queryNames, bodyNames, declared: new Set([...queryNames, ...bodyNames]) }
})

/**
 * Merges query and body into the single input of a procedure. Each name is read only from its declared place.
 * The same name with another value in the other place is rejected, since the caller's intention is unclear.
 * Undeclared names are ignored.
 *
 * @throws INVALID_INPUT
 */
function mergeInput(
  declaration: EndpointDeclaration,
  { values, issues: queryIssues }: ReadQuery,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { queryNames, bodyNames, declared } = namesOf(declaration)
  const issues: InputIssue[] = queryIssues.filter(({ path }) => declared.has(path))
  const input: Record<string, unknown> = {}

  for (const name of queryNames) {
    const value = values.get(name)
    if (value !== undefined) input[name] = value
    if (Object.hasOwn(sent, name) && sent[name] !== null && !isSame(sent[name], value)) {
      issues.push({ path: name, message: 'Belongs in the query; the body has another value' })
    }
  }
  for (const name of bodyNames) {
    if (Object.hasOwn(sent, name)) input[name] = sent[name]
    const value = values.get(name)
    if (value !== undefined && !isSame(input[name], value)) {
      issues.push({ path: name, message: 'Belongs in the body; the query has another value' })
    }
  }
  if (issues.length > 0) throw new LanyardError('INVALID_INPUT', { issues })
  return input
}

/** Answers a request to an endpoint. Rejects with what is wrong before the endpoint itself is called. */
type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Every declared endpoint by its exact path: it parses query and body, calls the same procedure as tRPC, and
 * answers.
 */
export const createRoutes = (): ReadonlyMap<string, Route> =>
  new Map(endpointList.map(({ name, declaration }) => [declaration.path, serveEndpoint(name, declaration)]))

const procedures: Readonly<Record<string, object | undefined>> = appRouter._def.procedures

function serveEndpoint(name: string, declaration: EndpointDeclaration): Route {
  const policy = routePolicyOf(declaration.path)
  // HEAD is GET without the body, which Node omits itself.
  const methods = declaration.method === 'GET' ? ['GET', 'HEAD'] : ['POST']
  const allow = [...methods, 'OPTIONS'].join(', ')
  const call = callOf(procedures[name])
  return async (request, response) => {
    const context = currentRequest()
    await admit(request, context, policy)
    if (request.method === 'OPTIONS') return void response.writeHead(204, { Allow: allow }).end()
    try {
      if (!methods.includes(request.method ?? '')) {
        response.setHeader('Allow', allow)
        const message = `This path does not support ${request.method}, but ${allow}.`
        throw new LanyardError('METHOD_NOT_ALLOWED', { message })
      }
      const output = await call(() => readInput(declaration, request, response), context)
      sendJson(response, statusOfOutput(declaration, output), output)
    } catch (error) {
      // Fixed statuses apply only to answers of the endpoint itself.
      replyError(response, toLanyardError(error), context, declaration)
    }
  }
}

async function readInput(
  declaration: EndpointDeclaration,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const body = declaration.method === 'POST' ? await readBody(request, response, maxBodyOf(declaration)) : {}
  return mergeInput(declaration, readQuery(request.url ?? ''), body)
}

/**
 * Load balancers read only the status: a service that should get no more requests answers 503, with its
 * normal body.
 */
function statusOfOutput(declaration: EndpointDeclaration, output: unknown): number {
  if (declaration !== endpoints.system.health) return 200
  const { status } = endpoints.system.health.output.parse(output)
  return status === 'down' || status === 'draining' ? 503 : 200
}
