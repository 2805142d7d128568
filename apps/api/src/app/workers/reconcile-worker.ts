import type { OperationDependencies } from '../../domain/operations/dependencies.ts'
import { hasUnfinished } from '../../domain/operations/track/find-unfinished.ts'
import { createReconcileState, reconcile } from '../../domain/operations/track/reconcile.ts'
import {
  chargeSponsorships,
  hasSponsorshipsToCharge,
} from '../../domain/smart-balance/orders/charge-sponsorships.ts'
import {
  hasSponsorshipsToJudge,
  type JudgeDependencies,
  type JudgeState,
  judgeSponsorships,
} from '../../domain/smart-balance/orders/judge-sponsorships.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Passes } from './passes.ts'
import { startPurgeWorker } from './purge-worker.ts'

/**
 * Reconciles every network's operations, and the sponsorship charges for them, until the service closes.
 * Correctness does not depend on a single worker: concurrent passes are safe.
 */
export async function startReconcileWorker(
  passes: Passes,
  operations: OperationDependencies,
  services: Pick<JudgeDependencies, 'metrics' | 'policies'> & Pick<Services, 'env'>,
): Promise<void> {
  const { database, networks } = operations
  startPurgeWorker(passes.closing, operations, services.env.OPERATIONS_ARCHIVE_AFTER)
  await Promise.all(
    networks.list().flatMap((network) => {
      const state = createReconcileState(operations, network)
      const judging: JudgeState = { readUntil: undefined }
      return [
        passes.repeat({
          name: 'reconcile',
          network: network.chainId,
          hasWork: () => hasUnfinished(database, network.chainId),
          run: () => reconcile(operations, network, state),
        }),
        passes.repeat({
          name: 'sponsorships',
          network: network.chainId,
          hasWork: async () =>
            (await hasSponsorshipsToJudge(operations, network.chainId)) ||
            (await hasSponsorshipsToCharge(operations, network.chainId)),
          async run() {
            await judgeSponsorships({ ...operations, ...services }, network, judging)
            await chargeSponsorships(operations, network)
          },
        }),
      ]
    }),
  )
}
