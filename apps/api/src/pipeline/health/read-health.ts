import { withReservedShare } from '@lanyard/networks'
import type { Logger } from 'pino'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { withTimeout } from '../../platform/timeouts.ts'
import type { Services } from '../services.ts'

type HealthServices = Pick<Services, 'sharedReads' | 'pingDatabase' | 'networks' | 'closing'>

/** Milliseconds. The networks' checks have their own time-outs. */
const databaseTimeout = 2_000

type CheckStatus = 'up' | 'down'

function overall(
  database: CheckStatus,
  networks: readonly { status: CheckStatus; rateLimit?: number }[],
): 'ok' | 'degraded' | 'down' {
  const up = networks.filter(({ status }) => status === 'up').length
  if (database === 'down' || up === 0) return 'down'
  const isLimited = networks.some(({ rateLimit }) => rateLimit !== undefined)
  return up < networks.length || isLimited ? 'degraded' : 'ok'
}

type ReadinessServices = Pick<HealthServices, 'sharedReads' | 'pingDatabase' | 'closing'>

const readDatabase = ({ sharedReads, pingDatabase }: ReadinessServices, log: Logger): Promise<CheckStatus> =>
  sharedReads.database('ping', () =>
    // In the name of the service: all probes share this one, and the caller who came first may wait long for a connection.
    withTimeout(databaseTimeout, withReservedShare(pingDatabase)).then(
      () => 'up',
      (error: unknown) => {
        log.warn({ err: error }, 'the database does not answer')
        return 'down'
      },
    ),
  )

/**
 * Whether this process should get requests. Networks do not count: when one is away, so it is for all replicas,
 * and callers need the answer that says so.
 */
export async function readReadiness(
  services: ReadinessServices,
  log: Logger,
): Promise<'ready' | 'down' | 'draining'> {
  if (services.closing.aborted) return 'draining'
  return (await readDatabase(services, log)) === 'up' ? 'ready' : 'down'
}

/** Whether the database and the networks answer this process. Concurrent checks share their reads. */
export async function readHealth(services: HealthServices, log: Logger) {
  const checkNetworks = services.networks.list().map(async (network) => {
    const { status, block } = await services.sharedReads.health(String(network.chainId), () =>
      network.health(),
    )
    return {
      network: network.chainId,
      status,
      block: block === null ? null : block.toString(),
      ...(network.circuit === 'open' && { circuit: network.circuit }),
      ...(network.rateLimit > 0 && { rateLimit: Math.ceil(network.rateLimit / 1_000) }),
    }
  })
  const [database, networks] = await Promise.all([readDatabase(services, log), Promise.all(checkNetworks)])
  const status = services.closing.aborted ? ('draining' as const) : overall(database, networks)
  return { status, checks: { database, networks } }
}

/** Shows `/health` to Prometheus, also for processes that answer no requests. */
export function addHealthGauge(metrics: Pick<Metrics, 'addGauge'>, services: HealthServices, log: Logger) {
  metrics.addGauge({
    name: 'healthy',
    help: '0 while the database, or every network, does not answer this process; otherwise 1',
    labels: [],
    read: async () => [{ labels: {}, value: (await readHealth(services, log)).status === 'down' ? 0 : 1 }],
  })
}
