import { LanyardError } from '@lanyard/contracts'
import { dropReplaced, type OperationRow, recordReorg } from '@lanyard/database'
import {
  type CanonicalBlocks,
  createCanonicalBlocks,
  type Network,
  type SeenBlock,
  withReservedShare,
} from '@lanyard/networks'
import type { Hash } from 'viem'
import type { Sweep } from '../../../platform/sweep.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { readNoncesUsed } from '../nonce-positions.ts'
import { deliverAgain } from '../submit/deliver.ts'
import { finalizeIncluded, finalizeOpen } from './finalize.ts'
import { findDue, findIncludedIn, findSeenBlocks, readOpen, sweepOpen } from './find-unfinished.ts'
import { type Inclusion, readInclusions, readNonceOutcomes, recordIncluded } from './inclusion.ts'

/** What the passes over a network remember. It may be lost: without it, the next pass checks more. */
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
 * One pass over a network's unfinished operations. It relies only on the chain: which operations a reorg
 * removed, which were included, which became final. Then it sends due operations again. It never builds.
 * Every step can be repeated, and two replicas may run it concurrently: each write is guarded by the state
 * that was read.
 *
 * A pass makes the same number of requests for one operation as for ten thousand: included operations are
 * checked by their blocks, and the others are checked page by page.
 *
 * @param state - of the previous pass; absent: begins with the oldest
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, after the other steps; the written changes remain valid
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
  // An endpoint that has switched to another chain would return other blocks and nonces.
  await network.assertChain()
  const steps = [
    () => observeIncluded(dependencies, network, state),
    () => observeOpen(dependencies, network, state),
    () => deliverDue(dependencies, network),
    () => dependencies.bundlerFor(network.chainId).drive(),
  ]
  // A failing step does not stop the others.
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

/** Determines the outcome of one page of the other operations. */
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

/**
 * Sends due operations again, several concurrently. If the bundler does not answer, they stay due until the
 * next pass.
 */
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
        // A repeated failure is recorded in the row; the log reports it once.
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

/**
 * Determines the outcome of operations whose nonce the chain has used: only these can be in a block. Its own
 * event makes an operation `included`, and the event of another operation with its nonce makes it `dropped`.
 * A missing event proves nothing, because a node's logs may lag behind its state. A caller who is told too
 * early that an operation can no longer be included would build it again and pay twice.
 *
 * @returns whether there was an operation to check: its row may have changed
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function recordNonceUse(
  dependencies: OperationDependencies,
  network: Network,
  open: readonly OperationRow[],
): Promise<boolean> {
  const { log } = dependencies
  const used = [...(await readNoncesUsed(network, open))]
  if (used.length === 0) return false
  const newest = Math.max(...used.map(signedAtBlock))
  const { recent = [], old = [] } = Object.groupBy(used, (row) =>
    newest - signedAtBlock(row) <= recentBlocks ? 'recent' : 'old',
  )
  await recordUse(dependencies, network, recent)
  // A search far back takes long, and a provider may refuse it. Each pass therefore makes only one, for a
  // single operation.
  const one = old[Math.floor(Math.random() * old.length)]
  if (one) {
    await recordUse(dependencies, network, [one]).catch((error: unknown) => {
      log.warn(
        { err: error, userOpHash: one.user_op_hash, network: network.chainId },
        'could not find out which operation used the nonce of an old one; it will be retried',
      )
    })
  }
  return true
}

/** Operations signed within this many blocks of each other are searched for together. */
const recentBlocks = 20_000

const signedAtBlock = ({ signed_at_block }: OperationRow) => signed_at_block ?? 0

async function recordUse(
  dependencies: OperationDependencies,
  network: Network,
  used: readonly OperationRow[],
): Promise<void> {
  const inclusions = await readInclusions(network, {
    hashes: used.map(({ user_op_hash }) => user_op_hash as Hash), // the column holds 0x and 64 digits
    fromBlock: BigInt(Math.min(...used.map(signedAtBlock))),
  })
  await record(dependencies, inclusions)

  const found = new Set<string>(inclusions.map(({ userOpHash }) => userOpHash))
  const { included, taken } = await readNonceOutcomes(
    network,
    used.filter(({ user_op_hash, reason_code }) => !found.has(user_op_hash) && reason_code !== 'REPLACED'),
  )
  // Operations that used the nonces may also be ones of this service: given up earlier, or rejected here and
  // bundled elsewhere.
  await record(dependencies, included)
  for (const row of taken) await dropReplaced(dependencies.database, row)
}

async function record(dependencies: OperationDependencies, inclusions: readonly Inclusion[]): Promise<void> {
  await Promise.all(
    inclusions.map(async (inclusion) => {
      await dependencies.checkpoint('include:event-read')
      await recordIncluded(dependencies, inclusion)
      await dependencies.checkpoint('include:recorded')
    }),
  )
}
