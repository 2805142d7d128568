import { once } from 'node:events'
import { createServer } from 'node:http'
import { serverTimeouts } from '../http/limits.ts'
import { answerAlive, answerReadiness, livenessPath, readinessPath } from '../http/probes.ts'
import { ConfigurationError } from '../platform/environment/configuration-error.ts'
import type { Env } from '../platform/environment/env.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'

/**
 * Serves `/metrics`, `/livez` and `/readyz` on METRICS_PORT, if set. It requires no credentials, so the address must be reachable
 * only for the metrics collector. It also serves processes that answer no requests.
 *
 * @throws ConfigurationError when the port is taken
 */
export async function serveMetrics(
  { METRICS_PORT, METRICS_HOST }: Pick<Env, 'METRICS_PORT' | 'METRICS_HOST'>,
  services: Parameters<typeof answerReadiness>[0] & { readonly metrics: Metrics },
): Promise<{ readonly url?: string; close(): Promise<void> }> {
  if (METRICS_PORT === undefined) return { close: async () => {} }
  const server = createServer(serverTimeouts, async ({ method, url }, response) => {
    if (method !== 'GET') return void response.writeHead(404).end()
    if (url === livenessPath) return answerAlive(response)
    if (url === readinessPath) return answerReadiness(services, response)
    if (url !== '/metrics') return void response.writeHead(404).end()
    const { metrics } = services
    try {
      const text = await metrics.text()
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  try {
    server.listen(METRICS_PORT, METRICS_HOST)
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigurationError('The environment', [`METRICS_PORT: cannot listen there (${code})`])
  }
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : METRICS_PORT
  return {
    url: `http://${METRICS_HOST}:${port}/metrics`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
