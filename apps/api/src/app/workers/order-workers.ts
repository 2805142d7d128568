import type { LocalAccount } from 'viem'
import { addTokenPaymasterGauge } from '../../domain/smart-balance/orders/token-paymaster-gauge.ts'
import { attestOrders, sweepUnattested } from '../../domain/smart-balance/settlement/attest-orders.ts'
import { createContractWatch } from '../../domain/smart-balance/settlement/contract-watch.ts'
import { type BalanceNetwork, balanceNetworks } from '../../domain/smart-balance/settlement/dependencies.ts'
import { createExposureWatch } from '../../domain/smart-balance/settlement/exposure.ts'
import {
  addSettlementGasGauge,
  addSettlerGauge,
  createSettler,
} from '../../domain/smart-balance/settlement/settler.ts'
import {
  addGasDepositGauge,
  addTopUpGauges,
  createTopUp,
} from '../../domain/smart-balance/settlement/top-up.ts'
import { hasOpenOrders, trackOrders } from '../../domain/smart-balance/settlement/track-orders.ts'
import { sweepOrders } from '../../domain/smart-balance/settlement/tracked-orders.ts'
import type { Services } from '../../pipeline/services.ts'
import { roleKeysFor } from '../../platform/keys/role-keys.ts'
import type { Pass, Passes } from './passes.ts'

/**
 * Starts this process's work for orders, according to its ROLES: `worker` tracks them on their output
 * networks, `attestor` attests their outcome there, `settler` collects their debits on the other networks,
 * `topUp` fills the gas deposit.
 */
export async function startOrderWorkers(passes: Passes, services: Services): Promise<void> {
  const networks = balanceNetworks(services.networks).map((on) => ({
    on,
    ...roleKeysFor(on.network.config, services.env, services.keys),
  }))
  const settlers = networks.flatMap(({ on, settler }) => (settler ? [{ on, settler }] : []))
  addSettlementGasGauge(
    services,
    settlers.map(({ on, settler: { address } }) => ({ on, address })),
  )
  if (settlers.length > 0) {
    addSettlerGauge(
      services.metrics,
      settlers.map(({ on, settler: { address } }) => ({ on, address })),
    )
  }
  const toppedUp = networks.flatMap(({ on, topUp }) => (topUp ? [{ on, topUp }] : []))
  if (services.env.ROLES.includes('worker'))
    addTokenPaymasterGauge(services, () => services.project.policies.list)
  if (services.env.ROLES.includes('worker') || toppedUp.length > 0)
    addGasDepositGauge(
      services,
      networks.map(({ on }) => on),
    )
  addTopUpGauges(
    services,
    toppedUp.map(({ on, topUp: { address } }) => ({ on, address })),
  )
  const watchExposure = createExposureWatch(services)
  const attested = new Map(balanceNetworks(services.attestorNetworks).map((on) => [on.network.chainId, on]))
  const all = [
    ...(services.env.ROLES.includes('worker')
      ? networks.flatMap(({ on }) => [tracking(services, on, watchExposure), watching(services, on)])
      : []),
    ...networks.flatMap(({ on, attestors }) =>
      attestors.length > 0 ? [attesting(services, attested.get(on.network.chainId) ?? on, attestors)] : [],
    ),
    ...settlers.map(({ on, settler }) => settling(services, on, settler)),
    ...toppedUp.map(({ on, topUp }) => toppingUp(services, on, topUp)),
  ]
  await Promise.all(all.map((pass) => passes.repeat(pass)))
}

const tracking = (services: Services, on: BalanceNetwork, watchExposure: () => Promise<void>): Pass => {
  const sweep = sweepOrders(services.database, on.network.chainId)
  return {
    name: 'orders',
    network: on.network.chainId,
    hasWork: () => hasOpenOrders(services, on.network.chainId),
    async run() {
      await trackOrders(services, on, sweep)
      await watchExposure()
    },
  }
}

const attesting = (services: Services, on: BalanceNetwork, attestors: readonly LocalAccount[]): Pass => {
  const sweeps = sweepUnattested(services.database, on, attestors)
  return {
    // Processes may hold different keys, so each one checks every order.
    name: `attest-${attestors.map(({ address }) => address.slice(2, 10).toLowerCase()).join('-')}`,
    network: on.network.chainId,
    hasWork: () => hasOpenOrders(services, on.network.chainId),
    run: () => attestOrders(services, on, attestors, sweeps),
  }
}

function settling(services: Services, on: BalanceNetwork, account: LocalAccount): Pass {
  const { hasWork, settle } = createSettler(services, on, { account })
  return { name: 'settle', network: on.network.chainId, hasWork, run: settle }
}

function toppingUp(services: Services, on: BalanceNetwork, account: LocalAccount): Pass {
  const { hasWork, pass } = createTopUp(services, on, { account })
  return { name: 'top-up', network: on.network.chainId, hasWork: async () => hasWork(), run: pass }
}

function watching(services: Services, on: BalanceNetwork): Pass {
  const { hasWork, pass } = createContractWatch(services, on)
  return { name: 'watch', network: on.network.chainId, hasWork: async () => hasWork(), run: pass }
}
