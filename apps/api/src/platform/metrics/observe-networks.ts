import type { NetworkObserver, Networks } from '@lanyard/networks'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

/**
 * Counts failures and rate limits of the networks' RPCs, and logs when an endpoint is no longer used, for which
 * of these reasons, and when it is used again.
 */
export const observeNetworks = (metrics: Metrics, log: Logger): NetworkObserver => ({
  failed: (network, code) => metrics.countFailure({ network, part: 'rpc', code }),
  unconfirmed(network, reason, origins) {
    metrics.countUnconfirmed({ network, reason })
    log.error(
      { network, reason, origins },
      'two RPCs did not confirm the state of a network: nothing is lent on it',
    )
  },
  circuitChanged(network, { state, endpoint, pause }) {
    if (state === 'closed') {
      log.info({ network, endpoint }, 'an RPC endpoint answers again')
      return
    }
    metrics.countOpening({ network, endpoint })
    log.warn({ network, endpoint, pause }, 'an RPC endpoint failed several times in a row and is paused')
  },
  rateLimited(network, { endpoint, pause, details }) {
    metrics.countRateLimit({ network, endpoint })
    log.warn(
      { network, endpoint, pause, details },
      "an RPC endpoint's provider limits the number of requests",
    )
  },
})

/** Announces the networks and their RPC endpoints, so that their counters are shown from the start. */
export function announceNetworks(metrics: Pick<Metrics, 'announce'>, networks: Networks): void {
  for (const { chainId: network, config } of networks.list()) {
    metrics.announce('network', { network })
    // As `createNetworks` counts them: addresses for sending after those for reading.
    for (const index of [...config.rpcUrls, ...config.sendRpcUrls].keys())
      metrics.announce('endpoint', { network, endpoint: index + 1 })
  }
}

/** The networks that do not answer at present. */
export function addCircuitGauge(metrics: Metrics, networks: Networks): void {
  metrics.addGauge({
    name: 'network_circuit_open',
    help: '1 while every RPC endpoint of the network is paused after several failures in a row, otherwise 0',
    labels: ['network'],
    read: async () =>
      networks.list().map(({ chainId, circuit }) => ({
        labels: { network: chainId },
        value: circuit === 'open' ? 1 : 0,
      })),
  })
}

/** The networks whose providers let the service wait, and what it may ask for at once. */
export function addProviderGauges(metrics: Metrics, networks: Networks): void {
  metrics.addGauge({
    name: 'network_rate_limited_seconds',
    help: 'Seconds until an RPC endpoint of the network takes requests again, while all of them limit their number; otherwise 0',
    labels: ['network'],
    read: async () =>
      networks
        .list()
        .map(({ chainId, rateLimit }) => ({ labels: { network: chainId }, value: rateLimit / 1_000 })),
  })
  const addLimit = (name: string, help: string, limit: 'batch' | 'logRange') =>
    metrics.addGauge({
      name,
      help,
      labels: ['network', 'endpoint'],
      read: async () =>
        networks.list().flatMap(({ chainId, limits }) =>
          limits.map((one, index) => ({
            labels: { network: chainId, endpoint: index + 1 },
            value: one[limit],
          })),
        ),
    })
  addLimit(
    'rpc_batch_limit',
    'Requests in one JSON-RPC batch to an endpoint, as configured or as its refusals taught',
    'batch',
  )
  addLimit(
    'rpc_log_range_limit',
    'Blocks in one eth_getLogs to an endpoint, as configured or as its refusals taught',
    'logRange',
  )
}
