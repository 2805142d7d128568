import { chargeSponsorships, hasSponsorshipsToCharge } from '../../domain/gas-policies/charge-sponsorships.ts'
import {
  hasSponsorshipsToReview,
  type ReviewState,
  reviewSponsorships,
} from '../../domain/gas-policies/review-sponsorships.ts'
import type { OperationDependencies } from '../../domain/operations/dependencies.ts'
import { hasUnfinished } from '../../domain/operations/track/find-unfinished.ts'
import { createReconcileState, reconcile } from '../../domain/operations/track/reconcile.ts'
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
  { env, metrics, project }: Pick<Services, 'env' | 'metrics' | 'project'>,
): Promise<void> {
  const { database, networks } = operations
  startPurgeWorker(passes.closing, operations, env.OPERATIONS_ARCHIVE_AFTER)
  await Promise.all(
    networks.list().flatMap((network) => {
      const state = createReconcileState(operations, network)
      const reviewed: ReviewState = { readUntil: undefined }
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
            (await hasSponsorshipsToReview(operations, network.chainId)) ||
            (await hasSponsorshipsToCharge(operations, network.chainId)),
          async run() {
            await reviewSponsorships(
              { ...operations, metrics, policies: project.policies.list },
              network,
              reviewed,
            )
            await chargeSponsorships(operations, network)
          },
        }),
      ]
    }),
  )
}
