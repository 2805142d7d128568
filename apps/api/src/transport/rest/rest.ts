import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type EndpointDeclaration, endpoints, LanyardError } from '@lanyard/contracts'
import { callOf, type EndpointCall } from '../../pipeline/procedure-of.ts'
import type { Services } from '../../pipeline/services.ts'
import { endpointList, type NamedEndpoint } from '../../platform/endpoint-list.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import { runInRequest } from '../../platform/log/current-request.ts'
import { appRouter } from '../../routers/router.ts'
import { admit, type RoutePolicy, routePolicyOf } from '../http/admit.ts'
import { allowOrigins } from '../http/allow-origins.ts'
import { answerJson } from '../http/answer-json.ts'
import { commonHeaders, setAll } from '../http/common-headers.ts'
import { type HttpRequestContext, requestIdOf, requestsOf } from '../http/http-request-context.ts'
import { readBody } from '../http/read-body.ts'
import { readQuery } from '../http/read-query.ts'
import { replyError } from '../http/reply-error.ts'
import { mergeInput } from './merge-input.ts'

/** What is known of an endpoint before anyone asks. */
interface Route {
  readonly declaration: EndpointDeclaration
  readonly call: EndpointCall
  readonly policy: RoutePolicy
  /** HEAD is GET without the body, which Node leaves out itself. */
  readonly methods: readonly string[]
  /** As the header says it. */
  readonly allow: string
}

const procedures: Readonly<Record<string, object | undefined>> = appRouter._def.procedures

function toRoute({ name, declaration }: NamedEndpoint): Route {
  const methods = declaration.method === 'GET' ? ['GET', 'HEAD'] : ['POST']
  const allow = [...methods, 'OPTIONS'].join(', ')
  return {
    declaration,
    call: callOf(procedures[name]),
    policy: routePolicyOf(declaration.path),
    methods,
    allow,
  }
}

/**
 * Serves every endpoint of the table at its exact path: what Express does for a page (a pattern for each route, a function
 * for each step) would cost most of them more than their own work.
 *
 * @returns the listener of a request by its path, undefined for a path that is no endpoint's
 */
export function restEndpoints(services: Services): (path: string) => RequestListener | undefined {
  const begin = requestsOf(services)
  const allowOrigin = allowOrigins(services)

  const toListener = (route: Route): RequestListener => {
    const { path } = route.declaration
    return (request, response) => {
      const requestId = requestIdOf(request)
      const headers = commonHeaders(requestId)
      const setHeader = (name: string, value: string) => void headers.push(name, value)
      const beginning = { path, transport: 'rest', headers, setHeader } as const
      const context = begin(requestId, request, response, beginning)
      runInRequest(context, () => {
        const go = (failure?: unknown) => {
          // What cannot even be answered as an error: nobody waits for it.
          serve(route, request, response, context, failure).catch(() => response.destroy())
        }
        if (request.headers.origin === undefined) return go()
        setAll(response, headers) // a preflight is answered there
        allowOrigin(request, response, go)
      })
    }
  }
  const listeners = new Map(
    endpointList.map((named) => [named.declaration.path as string, toListener(toRoute(named))]),
  )
  return (path) => listeners.get(path)
}

/** @param failure - of what came before */
async function serve(
  { declaration, methods, allow, policy, call }: Route,
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpRequestContext,
  failure?: unknown,
): Promise<void> {
  let admitted = false
  try {
    if (failure !== undefined && failure !== null) throw failure
    await admit(request, context, policy)
    admitted = true
    if (request.method === 'OPTIONS') {
      response.writeHead(204, [...context.headers, 'Allow', allow]).end()
      return
    }
    if (!methods.includes(request.method ?? '')) {
      context.setHeader('Allow', allow)
      throw new LanyardError('METHOD_NOT_ALLOWED')
    }
    const output = await call(() => readInput(declaration, request, response), context)
    answerJson(response, statusOfOutput(declaration, output), context.headers, output)
  } catch (error) {
    // Where statuses are fixed, they are so for what the endpoint itself answers.
    replyError(response, toLanyardError(error), context, admitted ? declaration : undefined)
  }
}

async function readInput(
  declaration: EndpointDeclaration,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const body = declaration.method === 'POST' ? await readBody(request, response) : {}
  return mergeInput(declaration, readQuery(request.url ?? ''), body)
}

/** Load balancers read only the status: a service that should get no more requests answers 503, with its normal body. */
function statusOfOutput(declaration: EndpointDeclaration, output: unknown): number {
  if (declaration !== endpoints.system.health) return 200
  const { status } = endpoints.system.health.output.parse(output)
  return status === 'down' || status === 'draining' ? 503 : 200
}
