import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { deliver } from './deliver.ts'
import type { OperationDependencies } from './dependencies.ts'
import { finalize } from './finalize.ts'
import { findUnfinished } from './find-unfinished.ts'
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
  const { database, bundlerFor, now, log } = dependencies

  // An endpoint that has turned to another chain would show other blocks and other nonces.
  await network.assertChain()
  // Read again only after something changed: most passes have nothing to write, and there may be hundreds of rows.
  const read = () => findUnfinished(database, network.chainId)
  let unfinished = await read()
  const reorged = await findReorged(network, unfinished)
  for (const row of reorged) {
    log.warn({ userOpHash: row.user_op_hash, network: network.chainId }, 'a reorg removed an operation')
    await recordReorg(database, row, now())
  }
  if (reorged.length > 0) unfinished = await read()
  if (await recordNonceUse(dependencies, network, unfinished)) unfinished = await read()
  if ((await finalize(dependencies, network, unfinished)) > 0) unfinished = await read()

  const waiting = unfinished.filter(isDue(now()))
  for (const row of waiting) {
    await deliver(dependencies, row).catch((error) => {
      log.warn({ err: error, userOpHash: row.user_op_hash, network: network.chainId }, 'delivery failed')
    })
  }
  await bundlerFor(network.chainId).drive()
  return waiting.length > 0 ? (await read()).length : unfinished.length
}

const isDue = (now: Date) => (row: OperationRow) =>
  (row.state === 'submitting' || row.state === 'submitted') &&
  row.next_attempt_at !== null &&
  row.next_attempt_at <= now
