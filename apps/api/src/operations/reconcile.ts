import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { deliverAgain } from './deliver.ts'
import type { OperationDependencies } from './dependencies.ts'
import { finalize } from './finalize.ts'
import { findUnfinished, pageSize, readUnfinished } from './find-unfinished.ts'
import { recordReorg } from './record-inclusion.ts'
import { recordNonceUse } from './record-nonce-use.ts'
import { findReorged } from './reorgs.ts'

/**
 * One pass over a network's unfinished operations. It asks the chain and nobody's word: what was included, what a
 * reorg took back, what became final; then it delivers again what is still waiting. It never builds. Every step
 * can be repeated, and two replicas may do it at once: each write is guarded by the state that it read.
 *
 * @returns how many operations are unfinished
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; what was written until then stays true
 */
export async function reconcile(dependencies: OperationDependencies, network: Network): Promise<number> {
  // An endpoint that has turned to another chain would show other blocks and other nonces.
  await network.assertChain()
  let count = 0
  let isAnswering = true
  let last: OperationRow | undefined
  do {
    const page = await findUnfinished(dependencies.database, network.chainId, last)
    const left = await observe(dependencies, network, page)
    if (isAnswering) isAnswering = await deliverDue(dependencies, network, left)
    count += left.length
    last = page.length === pageSize ? page.at(-1) : undefined
  } while (last)
  await dependencies.bundlerFor(network.chainId).drive()
  return count
}

/** @returns those that are unfinished still, as the chain has them now */
async function observe(
  dependencies: OperationDependencies,
  network: Network,
  page: readonly OperationRow[],
): Promise<readonly OperationRow[]> {
  const { database, now, log } = dependencies
  // Read again only after something changed: most passes have nothing to write, and there may be hundreds of rows.
  const read = () => readUnfinished(database, network.chainId, page)
  let unfinished = page
  const reorged = await findReorged(network, unfinished)
  for (const row of reorged) {
    log.warn({ userOpHash: row.user_op_hash, network: network.chainId }, 'a reorg removed an operation')
    await recordReorg(database, row, now())
  }
  if (reorged.length > 0) unfinished = await read()
  if (await recordNonceUse(dependencies, network, unfinished)) unfinished = await read()
  if ((await finalize(dependencies, network, unfinished)) > 0) unfinished = await read()
  return unfinished
}

/** @returns whether the bundler answers: when it does not, what is due stays so until the next pass */
async function deliverDue(
  dependencies: OperationDependencies,
  network: Network,
  rows: readonly OperationRow[],
): Promise<boolean> {
  const { now, log } = dependencies
  for (const row of rows.filter(isDue(network, now()))) {
    try {
      await deliverAgain(dependencies, row)
    } catch (error) {
      log.warn({ err: error, userOpHash: row.user_op_hash, network: network.chainId }, 'delivery failed')
      if (error instanceof LanyardError && error.code === 'BUNDLER_UNAVAILABLE') return false
    }
  }
  return true
}

/** Without a time it waits in the queue of our own bundler, if the network still has that. */
const isDue =
  ({ config }: Network, now: Date) =>
  ({ state, next_attempt_at }: OperationRow): boolean =>
    (state === 'submitting' || state === 'submitted') &&
    (next_attempt_at === null ? config.bundler.kind === 'remote' : next_attempt_at <= now)
