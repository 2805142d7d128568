import { type EndpointDeclaration, endpoints, LanyardError } from '@lanyard/contracts'
import { callTRPCProcedure } from '@trpc/server'
import type { Request, RequestHandler, Response, Router } from 'express'
import { endpointList, type NamedEndpoint } from '../endpoint-list.ts'
import { plannedError } from '../errors/planned-error.ts'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { appRouter } from '../router.ts'
import { currentRequest } from './current-request.ts'
import { mergeInput } from './merge-input.ts'
import { readBody } from './read-body.ts'
import { readQuery } from './read-query.ts'
import { replyError } from './reply-error.ts'

/** Mounts every endpoint of the table at its exact path. */
export function mountRest(app: Router): void {
  for (const endpoint of endpointList) app.all(endpoint.declaration.path, restHandler(endpoint))
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
      const planned = plannedError(declaration)
      if (planned) throw planned

      const output: unknown = await callTRPCProcedure({
        router: appRouter,
        path: name,
        type: declaration.method === 'GET' ? 'query' : 'mutation',
        getRawInput: () => readInput(declaration, request, response),
        ctx: context,
        signal: context.signal,
        batchIndex: 0,
      })
      response.status(statusOfOutput(declaration, output)).json(output)
    } catch (error) {
      replyError(request, response, toLanyardError(error), { ...context, declaration })
    }
  }
}

async function readInput(declaration: EndpointDeclaration, request: Request, response: Response) {
  const body = declaration.method === 'POST' ? await readBody(request, response) : {}
  return mergeInput(declaration, readQuery(request.url), body)
}

/** Load balancers read only the status: a service that cannot work answers 503, with its normal body. */
function statusOfOutput(declaration: EndpointDeclaration, output: unknown): number {
  if (declaration !== endpoints.system.health) return 200
  return endpoints.system.health.output.parse(output).status === 'down' ? 503 : 200
}
