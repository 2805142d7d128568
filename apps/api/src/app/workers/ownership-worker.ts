import { checkDueGuardians, hasDueGuardians } from '../../domain/owners/guardians/watch-guardians.ts'
import { createProgressPass } from '../../domain/owners/messages/add-missing-progress.ts'
import { hasDueMessages, runDueMessages } from '../../domain/owners/messages/run-messages.ts'
import { findOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { watchRecoveries } from '../../domain/owners/ownership/watch-recoveries.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Passes } from './passes.ts'

/** Changes a day for one caller on local networks, where they cost nothing. */
const localBudget = 100

/** On each network that has the Ownership module: applies signed owner changes, starts and executes recoveries, and reports them. */
export async function startOwnershipWorker(
  passes: Passes,
  { database, networks, now, log, env, operations, checkpoint }: Services,
): Promise<void> {
  const module = findOwnership(networks)
  if (!module) return
  const watched = { database, networks, now, log }
  const checks = passes.repeat({
    name: 'guardian-checks',
    hasWork: () => hasDueGuardians(watched),
    run: () => checkDueGuardians(watched, module),
  })
  await Promise.all([
    checks,
    ...networks
      .list()
      .filter(({ config }) => config.ownership === module)
      .flatMap((network) => {
        const { chainId, config } = network
        const dependencies = {
          ...{ database, now, log, checkpoint },
          bundler: operations.bundlerFor(chainId),
          budget: env.SPONSORED_OWNER_CHANGES ?? (config.local ? localBudget : undefined),
        }
        const watch = watchRecoveries(watched, network, module)
        return [
          passes.repeat({
            name: 'owner-progress',
            network: chainId,
            ...createProgressPass(watched, chainId),
          }),
          passes.repeat({
            name: 'owner-messages',
            network: chainId,
            hasWork: () => hasDueMessages(dependencies, network),
            run: () => runDueMessages(dependencies, network, module),
          }),
          passes.repeat({
            name: 'recoveries',
            network: chainId,
            hasWork: async () => watch.hasWork(),
            run: () => watch.pass(),
          }),
        ]
      }),
  ])
}
