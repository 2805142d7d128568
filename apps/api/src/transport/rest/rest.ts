import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDeclaration, endpoints, LanyardError } from '@lanyard/contracts'
import { callOf } from '../../pipeline/procedure-of.ts'
import { endpointList } from '../../platform/endpoint-list.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import { appRouter } from '../../routers/router.ts'
import { admit, routePolicyOf } from '../http/admit.ts'
import { sendJson } from '../http/headers.ts'
import { currentRequest } from '../http/http-request-context.ts'
import { maxBodyOf } from '../http/limits.ts'
import { readBody, readQuery } from '../http/read-request.ts'
import { replyError } from '../http/reply-error.ts'
import { mergeInput } from './merge-input.ts'

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
        throw new LanyardError('METHOD_NOT_ALLOWED')
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
