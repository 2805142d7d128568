import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Hash } from 'viem'
import { deliver } from './deliver.ts'
import type { OperationDependencies } from './dependencies.ts'
import { finalize } from './finalize.ts'
import { findUnfinished } from './find-unfinished.ts'
import { readInclusions } from './inclusion.ts'
import { readNoncesUsed } from './nonce-positions.ts'
import { recordInclusion, recordReorg } from './record-inclusion.ts'
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

  for (const row of await findReorged(network, await findUnfinished(database, network.chainId))) {
    log.warn({ userOpHash: row.user_op_hash, network: network.chainId }, 'a reorg removed an operation')
    await recordReorg(database, row, now())
  }
  await recordNewInclusions(dependencies, network)
  await finalize(dependencies, network, await findUnfinished(database, network.chainId))

  const waiting = (await findUnfinished(database, network.chainId)).filter(isDue(now()))
  for (const row of waiting) {
    await deliver(dependencies, row).catch((error) => {
      log.warn({ err: error, userOpHash: row.user_op_hash, network: network.chainId }, 'delivery failed')
    })
  }
  await bundlerFor(network.chainId).drive()
  const unfinished = await findUnfinished(database, network.chainId)
  return unfinished.length
}

const isDue = (now: Date) => (row: OperationRow) =>
  (row.state === 'submitting' || row.state === 'submitted') &&
  row.next_attempt_at !== null &&
  row.next_attempt_at <= now

/** Only an operation whose nonce the chain has gone past can be in a block, so only those are searched for. */
async function recordNewInclusions({ database }: OperationDependencies, network: Network): Promise<void> {
  const open = (await findUnfinished(database, network.chainId)).filter(({ state }) => state !== 'included')
  const candidates = [...(await readNoncesUsed(network, open))]
  if (candidates.length === 0) return
  const fromBlock = BigInt(Math.min(...candidates.map(({ signed_at_block }) => signed_at_block ?? 0)))
  const hashes = candidates.map(({ user_op_hash }) => user_op_hash as Hash) // the column holds 0x and 64 digits
  const inclusions = await readInclusions(network, { hashes, fromBlock })
  for (const inclusion of inclusions) await recordInclusion(database, inclusion)

  // Its nonce is used and its event is nowhere: another operation took it. A reorg may still undo that.
  const included = new Set(inclusions.map(({ userOpHash }) => userOpHash))
  for (const row of candidates) {
    if (included.has(row.user_op_hash as Hash) || row.state === 'dropped') continue
    await database
      .updateTable('operations')
      .set({
        state: 'dropped',
        reason_code: 'REPLACED',
        reason_message: 'Its nonce was used by another operation.',
        next_attempt_at: null,
      })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('state', '=', row.state)
      .execute()
  }
}
