import { type EndpointDeclaration, endpoints, LanyardError } from '@lanyard/contracts'
import { callTRPCProcedure } from '@trpc/server'
import type { Request, RequestHandler, Response } from 'express'
import { endpointList, type NamedEndpoint } from '../endpoint-list.ts'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { appRouter } from '../router.ts'
import { currentRequest } from './current-request.ts'
import { mergeInput } from './merge-input.ts'
import { readBody } from './read-body.ts'
import { readQuery } from './read-query.ts'
import { replyError } from './reply-error.ts'

/**
 * Serves every endpoint of the table at its exact path. Paths have no parameters, so one look-up finds the handler;
 * Express would try the pattern of each route in turn.
 */
export function restEndpoints(): RequestHandler {
  const handlers = new Map<string, RequestHandler>(
    endpointList.map((named) => [named.declaration.path, restHandler(named)]),
  )
  return (request, response, next) => {
    const handler = handlers.get(request.path)
    return handler ? handler(request, response, next) : next()
  }
}

/** Methods of a path; HEAD is GET without the body, which Node leaves out itself. */
const allowed = ({ method }: EndpointDeclaration) => (method === 'GET' ? ['GET', 'HEAD'] : ['POST'])

function restHandler({ name, declaration }: NamedEndpoint): RequestHandler {
  const methods = allowed(declaration)
  const allow = [...methods, 'OPTIONS'].join(', ')

  return async (request, response) => {
    const context = currentRequest()
    try {
      if (request.method === 'OPTIONS') {
        response.status(204).setHeader('Allow', allow).end()
        return
      }
      if (!methods.includes(request.method)) {
        response.setHeader('Allow', allow)
        throw new LanyardError('METHOD_NOT_ALLOWED')
      }
      const output: unknown = await callTRPCProcedure({
        router: appRouter,
        path: name,
        type: declaration.method === 'GET' ? 'query' : 'mutation',
        getRawInput: () => readInput(declaration, request, response),
        ctx: context,
        signal: context.signal,
        batchIndex: 0,
      })
      answer(response, statusOfOutput(declaration, output), output)
    } catch (error) {
      replyError(request, response, toLanyardError(error), { ...context, declaration })
    }
  }
}

/** What `response.json` does, but for what no answer of an endpoint needs: caches, ranges, and settings of the app. */
function answer(response: Response, status: number, output: unknown): void {
  const body = Buffer.from(JSON.stringify(output))
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', body.length)
  response.end(body)
}

async function readInput(declaration: EndpointDeclaration, request: Request, response: Response) {
  const body = declaration.method === 'POST' ? await readBody(request, response) : {}
  return mergeInput(declaration, readQuery(request.url), body)
}

/** Load balancers read only the status: a service that should get no more requests answers 503, with its normal body. */
function statusOfOutput(declaration: EndpointDeclaration, output: unknown): number {
  if (declaration !== endpoints.system.health) return 200
  const { status } = endpoints.system.health.output.parse(output)
  return status === 'down' || status === 'draining' ? 503 : 200
}
