import type { Network } from '@lanyard/networks'
import type { PgBoss } from 'pg-boss'
import type { OperationDependencies } from '../operations/dependencies.ts'
import { findUnfinished } from '../operations/find-unfinished.ts'
import { reconcile } from '../operations/reconcile.ts'

/** Seconds until the next pass over a network: soon while something is unfinished, else now and then. */
const pauseBusy = 1
const pauseIdle = 3

/** Seconds after which a pass has lost its process. */
const passTimeout = 60

/**
 * Keeps every network's operations true, for as long as the service runs: one durable job a network, each of which
 * leaves the next one behind before it begins. A network has a queue of its own, so that one that does not answer
 * slows no other. Any number of replicas share the work, and when one dies another takes up the next job.
 * Correctness does not rest on it: two passes at once are safe.
 */
export async function startReconcileWorker(boss: PgBoss, operations: OperationDependencies): Promise<void> {
  await Promise.all(operations.networks.list().map((network) => startQueue(boss, operations, network)))
}

async function startQueue(boss: PgBoss, operations: OperationDependencies, network: Network): Promise<void> {
  const { database, log } = operations
  const queue = `reconcile-${network.chainId}`

  const pass = async () => {
    try {
      await reconcile(operations, network)
    } catch (error) {
      log.warn({ err: error, network: network.chainId }, 'could not reconcile operations with the chain')
    }
  }

  // `short`: one job waits at most, while another may still run.
  await boss.createQueue(queue, {
    policy: 'short',
    retryLimit: 0,
    expireInSeconds: passTimeout,
    deleteAfterSeconds: passTimeout,
  })
  await boss.work(queue, { batchSize: 1, pollingIntervalSeconds: 0.5 }, async () => {
    const unfinished = await findUnfinished(database, network.chainId)
    await boss.send(queue, {}, { startAfter: unfinished.length > 0 ? pauseBusy : pauseIdle })
    if (unfinished.length > 0) await pass()
  })
  await boss.send(queue, {}, { startAfter: pauseBusy })
  // What an earlier process left behind does not wait for its turn.
  await pass()
}
