import { LanyardError } from '@lanyard/contracts'
import { Router } from 'express'
import type { Services } from '../../pipeline/services.ts'
import { currentRequest } from './current-request.ts'
import { replyError } from './reply-error.ts'

/**
 * `/metrics`, for a server with a secret API key of scope `full` or `metrics`, or for anyone if no keys are required outside production.
 * The client address cannot be used: behind a proxy on the same machine, every request comes from loopback.
 */
export function metrics({ env, apiKeys, metrics }: Pick<Services, 'env' | 'apiKeys' | 'metrics'>): Router {
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/metrics', async (_request, response) => {
    const context = currentRequest()
    const isOpen = env.NODE_ENV !== 'production' && !(await apiKeys.needed())
    const { apiKey } = context
    const isForMetrics = apiKey?.kind === 'secret' && ['full', 'metrics'].includes(apiKey.scope ?? 'full')
    if (!isForMetrics && !(isOpen && apiKey === undefined)) {
      const error = new LanyardError(apiKey ? 'FORBIDDEN' : 'UNAUTHORIZED')
      return replyError(response, error, context)
    }
    response.type(metrics.contentType).send(await metrics.text())
  })
  return router
}
