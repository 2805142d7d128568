import { createRelayerRefill } from '@lanyard/bundler'
import type { Services } from '../../pipeline/services.ts'
import { treasuryFor } from '../../platform/keys/role-keys.ts'
import { logSender, observeRefills } from '../../platform/metrics/observe.ts'
import { addTreasuryGauges } from '../../platform/metrics/treasury-gauges.ts'
import type { Passes } from './passes.ts'

/** Fills up the relayers of each network with `relayerRefill`, if this process has the treasury's key. */
export async function startRefillWorker(passes: Passes, services: Services): Promise<void> {
  const { env, keys, database, now, checkpoint, metrics, log } = services
  const all = services.networks.list().flatMap((network) => {
    const { relayerRefill: wei } = network.config
    const treasury = treasuryFor(network.config, env, keys)
    return wei && treasury ? [{ network, wei, ...treasury }] : []
  })
  addTreasuryGauges({ metrics, database, now }, all)
  await Promise.all(
    all.map(({ network, wei, account, relayers }) => {
      for (const relayer of relayers) metrics.announce('refilled', { network: network.chainId, relayer })
      const refill = createRelayerRefill(network, {
        database,
        treasury: account,
        relayers,
        limits: {
          below: BigInt(wei.below),
          target: BigInt(wei.target),
          perHour: BigInt(wei.perHour),
        },
        now,
        checkpoint: (step) => checkpoint(`refill:${step}`),
        observe: observeRefills(metrics, log),
        observeSender: logSender(log, 'treasury'),
      })
      return passes.repeat({
        name: 'refill',
        network: network.chainId,
        hasWork: async () => refill.hasWork(),
        run: () => refill.pass(),
      })
    }),
  )
}
