import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { readReadiness } from '../pipeline/health/read-health.ts'
import type { Services } from '../pipeline/services.ts'
import { sendJson } from './headers.ts'

export const livenessPath = '/livez'
export const readinessPath = '/readyz'

/** What a supervisor asks: restart the process only if it does not answer. */
export const answerAlive = (response: ServerResponse): void => answerProbe(response, 200, 'alive')

/**
 * What a load balancer asks: 503 while the process should get no requests, because it ends, or because its
 * database does not answer.
 */
export async function answerReadiness(
  services: Parameters<typeof readReadiness>[0] & Pick<Services, 'log'>,
  response: ServerResponse,
): Promise<void> {
  const status = await readReadiness(services, services.log)
  answerProbe(response, status === 'ready' ? 200 : 503, status)
}

function answerProbe(response: ServerResponse, status: number, text: string): void {
  response.setHeader('Cache-Control', 'no-store')
  sendJson(response, status, { status: text })
}

/** Both probes need no credentials and are not counted: they cost less than the refusal of a request. */
export const probes =
  (services: Services): RequestHandler =>
  ({ method, path }, response, next) => {
    const isProbe = path === livenessPath || path === readinessPath
    if (!isProbe || (method !== 'GET' && method !== 'HEAD')) return next()
    return path === livenessPath ? answerAlive(response) : answerReadiness(services, response)
  }
