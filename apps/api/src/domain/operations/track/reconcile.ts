import { LanyardError } from '@lanyard/contracts'
import { type OperationRow, recordReorg } from '@lanyard/database'
import {
  type CanonicalBlocks,
  createCanonicalBlocks,
  type Network,
  type SeenBlock,
  withReservedShare,
} from '@lanyard/networks'
import type { Sweep } from '../../../platform/sweep.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { deliverAgain } from '../submit/deliver.ts'
import { finalizeIncluded, finalizeOpen } from './finalize.ts'
import { findDue, findIncludedIn, findSeenBlocks, readOpen, sweepOpen } from './find-unfinished.ts'
import { recordNonceUse } from './record-nonce-use.ts'

/** What the passes over a network remember. It need not last: without it, the next pass checks more. */
export interface ReconcileState {
  readonly open: Sweep<OperationRow>
  readonly blocks: CanonicalBlocks
}

export const createReconcileState = (
  { database }: Pick<OperationDependencies, 'database'>,
  network: Network,
): ReconcileState => ({
  open: sweepOpen(database, network.chainId),
  blocks: createCanonicalBlocks(network),
})

/**
 * One pass over a network's unfinished operations. It asks the chain and nobody's word: what a reorg took back, what was
 * included, what became final; then it delivers again what is due. It never builds. Every step can be repeated, and two
 * replicas may do it at once: each write is guarded by the state that it read.
 *
 * A pass asks the network as much with one operation as with ten thousand: included ones are checked by their blocks, and
 * the others come up page by page.
 *
 * @param state - of the pass before; absent: begins with the oldest
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, after the other steps; what was written stays true
 */
export const reconcile = (
  dependencies: OperationDependencies,
  network: Network,
  state: ReconcileState = createReconcileState(dependencies, network),
): Promise<void> => withReservedShare(() => runPass(dependencies, network, state))

async function runPass(
  dependencies: OperationDependencies,
  network: Network,
  state: ReconcileState,
): Promise<void> {
  // An endpoint that has turned to another chain would show other blocks and other nonces.
  await network.assertChain()
  const steps = [
    () => observeIncluded(dependencies, network, state),
    () => observeOpen(dependencies, network, state),
    () => deliverDue(dependencies, network),
    () => dependencies.bundlerFor(network.chainId).drive(),
  ]
  // A failing step does not keep the others from their work.
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Restores operations that a reorg removed, and finalizes those in final blocks. */
async function observeIncluded(
  dependencies: OperationDependencies,
  network: Network,
  { blocks }: ReconcileState,
): Promise<void> {
  const { database, now, log } = dependencies
  const seen = await findSeenBlocks(database, network.chainId)
  if (seen.length === 0) return
  const check = await blocks.check(seen)
  const isCanonical = (wanted: boolean) => (block: SeenBlock) => check.isCanonical(block) === wanted
  const reorged = seen.filter(isCanonical(false))
  if (reorged.length > 0) {
    for (const row of await findIncludedIn(database, network.chainId, reorged)) {
      log.warn({ userOpHash: row.user_op_hash, network: network.chainId }, 'a reorg removed an operation')
      await recordReorg(database, row, now())
    }
  }
  await finalizeIncluded(dependencies, network, seen.filter(isCanonical(true)))
}

/** Finds out the outcome of a page of the others. */
async function observeOpen(
  dependencies: OperationDependencies,
  network: Network,
  { open }: ReconcileState,
): Promise<void> {
  const { database } = dependencies
  const page = await open.next()
  if (page.length === 0) return
  const isChanged = await recordNonceUse(dependencies, network, page)
  await finalizeOpen(
    dependencies,
    network,
    isChanged ? await readOpen(database, network.chainId, page) : page,
  )
}

/** Maximum number of concurrent deliveries. */
const concurrency = 8

/** Delivers again, several at once. When the bundler does not answer, what is due stays so until the next pass. */
async function deliverDue(dependencies: OperationDependencies, network: Network): Promise<void> {
  const { database, now, log } = dependencies
  const isForgetful = network.config.bundler.kind === 'remote'
  const due = (await findDue(database, network.chainId, { now: now(), isForgetful })).values()
  let isAnswering = true
  const deliver = async () => {
    for (const row of due) {
      if (!isAnswering) return
      try {
        await deliverAgain(dependencies, row)
      } catch (error) {
        // A repeated failure is in the row; the log reports it once.
        const level = row.attempts > 1 ? 'debug' : 'warn'
        log[level](
          { err: error, userOpHash: row.user_op_hash, network: network.chainId },
          'a delivery failed; it is scheduled again',
        )
        if (error instanceof LanyardError && error.code === 'BUNDLER_UNAVAILABLE') isAnswering = false
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, deliver))
}
