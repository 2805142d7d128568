import type { PgBoss } from 'pg-boss'
import type { LocalAccount } from 'viem'
import type { Services } from '../services.ts'
import { attestOrders } from '../settlement/attest-orders.ts'
import { createExposureWatch } from '../settlement/exposure-watch.ts'
import { type BalanceNetwork, balanceNetworks } from '../settlement/networks.ts'
import { createSettler } from '../settlement/settler.ts'
import { addSettlerGauge } from '../settlement/settler-gauge.ts'
import { hasOpenOrders, trackOrders } from '../settlement/track-orders.ts'
import { roleKeysFor } from '../start/role-keys.ts'
import { type NetworkQueue, startNetworkQueue } from './network-queue.ts'

/**
 * Starts what this process does for orders, as its ROLES say: `worker` follows them on their output networks, `attestor`
 * states what became of them there, `settler` collects what they owe on the others.
 */
export async function startOrderWorkers(boss: PgBoss, services: Services): Promise<void> {
  const networks = balanceNetworks(services.networks).map((on) => ({
    on,
    ...roleKeysFor(on.network.config, services.env, services.keys),
  }))
  const settlers = networks.flatMap(({ on, settler }) => (settler ? [{ on, settler }] : []))
  if (settlers.length > 0) {
    addSettlerGauge(
      services.metrics,
      settlers.map(({ on, settler: { address } }) => ({ on, address })),
    )
  }
  const watchExposure = createExposureWatch(services)
  const queues = [
    ...(services.env.ROLES.includes('worker')
      ? networks.map(({ on }) => tracking(services, on, watchExposure))
      : []),
    ...networks.flatMap(({ on, attestors }) =>
      attestors.length > 0 ? [attesting(services, on, attestors)] : [],
    ),
    ...settlers.map(({ on, settler }) => settling(services, on, settler)),
  ]
  await Promise.all(queues.map((queue) => startNetworkQueue(boss, services.log, queue)))
}

const tracking = (
  services: Services,
  on: BalanceNetwork,
  watchExposure: () => Promise<void>,
): NetworkQueue => ({
  name: 'orders',
  network: on.network.chainId,
  hasWork: () => hasOpenOrders(services, on.network.chainId),
  async pass() {
    await trackOrders(services, on)
    await watchExposure()
  },
})

const attesting = (
  services: Services,
  on: BalanceNetwork,
  attestors: readonly LocalAccount[],
): NetworkQueue => ({
  // Processes may hold different keys: each looks at every order.
  name: `attest-${attestors.map(({ address }) => address.slice(2, 10).toLowerCase()).join('-')}`,
  network: on.network.chainId,
  hasWork: () => hasOpenOrders(services, on.network.chainId),
  pass: () => attestOrders(services, on, attestors),
})

function settling(services: Services, on: BalanceNetwork, account: LocalAccount): NetworkQueue {
  const { hasWork, settle } = createSettler(services, on, { account })
  return { name: 'settle', network: on.network.chainId, hasWork, pass: settle }
}
