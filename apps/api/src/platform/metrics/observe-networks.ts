import type { NetworkObserver, Networks } from '@lanyard/networks'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

/**
 * Counts failures of the networks' RPCs, and logs when an endpoint is no longer used and when it is used
 * again.
 */
export const observeNetworks = (metrics: Metrics, log: Logger): NetworkObserver => ({
  failed: (network, code) => metrics.countFailure({ network, part: 'rpc', code }),
  circuitChanged(network, { state, endpoint, pause }) {
    if (state === 'closed') {
      log.info({ network, endpoint }, 'an RPC endpoint answers again')
      return
    }
    metrics.countOpening({ network, endpoint })
    log.warn({ network, endpoint, pause }, 'an RPC endpoint failed several times in a row and is paused')
  },
})

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
