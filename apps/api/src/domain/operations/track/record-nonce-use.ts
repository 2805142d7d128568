import { dropReplaced, type OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Hash } from 'viem'
import type { OperationDependencies } from '../dependencies.ts'
import { readNoncesUsed } from '../nonce-positions.ts'
import { type Inclusion, readInclusions, readNonceOutcomes, recordIncluded } from './inclusion.ts'

/**
 * Determines the outcome of operations whose nonce the chain has used: only these can be in a block. Its own
 * event makes an operation `included`, and the event of another operation with its nonce makes it `dropped`.
 * A missing event proves nothing, because a node's logs may lag behind its state. A caller who is told too
 * early that an operation can no longer be included would build it again and pay twice.
 *
 * @returns whether there was an operation to check: its row may have changed
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function recordNonceUse(
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
