import type { WireUserOperation } from '@lanyard/accounts'
import {
  endOperation,
  finalizeBlocks,
  forgetSignature,
  type OperationEnd,
  type OperationRow,
} from '@lanyard/database'
import type { Network, SeenBlock } from '@lanyard/networks'
import { safeAbi } from '@lanyard/onchain'
import type { Address, Hex } from 'viem'
import type { OperationDependencies } from '../dependencies.ts'
import { readNoncesUsed } from '../nonce-positions.ts'
import type { PayerHooks } from '../payer.ts'

/** Number of blocks whose operations one pass finalizes. */
const maxBlocks = 200

/**
 * Finalizes the operations of blocks that no reorg can remove any more.
 *
 * @param canonical - blocks that the chain has
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function finalizeIncluded(
  { database, checkpoint }: Pick<OperationDependencies, 'database' | 'checkpoint'>,
  network: Network,
  canonical: readonly SeenBlock[],
): Promise<void> {
  if (canonical.length === 0) return
  const finalized = await network.finalizedBlock()
  const final = canonical.filter(({ number }) => BigInt(number) <= finalized).slice(0, maxBlocks)
  if (final.length === 0) return
  await checkpoint('final:block-read')
  await finalizeBlocks(
    database,
    network.chainId,
    final.map(({ hash }) => hash),
  )
  await checkpoint('final:recorded')
}

/**
 * Ends operations that will never be included, as a final block shows: another operation used their nonce,
 * their account was deployed without them, or their validity is over. An operation that could still be
 * included after a day is given up: its nonce is free again. If another bundler includes it later, the
 * chain's result replaces the recorded one.
 *
 * @param rows - open ones, read after this pass looked for their events
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function finalizeOpen(
  { database, checkpoint, now, payerHooks }: OperationDependencies,
  network: Network,
  rows: readonly OperationRow[],
): Promise<void> {
  const ends = new Map(rows.map((row) => [row, validUntilOf(network, row, payerHooks)]))
  const endOf = (row: OperationRow) => ends.get(row) ?? 0
  const doubtful = rows.filter(
    (row) => row.state === 'dropped' || endOf(row) > 0 || isOlderThan(maxSilence, row.signed_at, now()),
  )
  if (doubtful.length === 0) return
  const { number: blockNumber, timestamp } = await network.call(async (client) =>
    client.getBlock({ blockNumber: await network.finalizedBlock() }),
  )
  const isOld = (row: OperationRow) => isOlderThan(maxSilence, row.signed_at, now())
  const used = await readNoncesUsed(network, doubtful, { blockNumber })
  const unused = doubtful.filter((row) => !used.has(row))
  const deployed = await findDeployed(network, unused, blockNumber)
  const isOvertaken = (row: OperationRow) =>
    used.has(row) ? isReplaced(row) || isOld(row) : deployed.has(row)
  const isLapsed = (row: OperationRow) => endOf(row) > 0 && BigInt(endOf(row)) < timestamp

  const end = async (row: OperationRow, as: OperationEnd) => {
    await checkpoint('final:block-read')
    await endOperation(database, row, as)
    await checkpoint('final:recorded')
  }
  for (const row of doubtful) {
    if (isOvertaken(row)) await end(row, { state: 'dropped' })
    else if (used.has(row)) continue
    else if (isLapsed(row)) await end(row, { state: row.state === 'dropped' ? 'dropped' : 'expired' })
    else if (row.state === 'built' && isOld(row)) await forgetSignature(database, row.user_op_hash)
    else if (isOlderThan(maxWait, row.signed_at, now())) await end(row, { state: 'dropped', ...givenUp })
  }
}

const givenUp = {
  reason_code: 'REBUILD',
  reason_message: 'It could not be included within a day of its signature. Its nonce is free again.',
}

/**
 * Milliseconds after which an operation with a used nonce counts as lost although no event shows which
 * operation used it. A node's logs may lag behind its state, but not for this long. A contract that
 * increments a nonce itself emits no event.
 */
const maxSilence = 60 * 60_000

/** Milliseconds after which an operation that could still be included is given up. */
const maxWait = 24 * 60 * 60_000

const isOlderThan = (milliseconds: number, signedAt: Date | null, now: Date): boolean =>
  signedAt !== null && now.getTime() - signedAt.getTime() > milliseconds

/** An event of another operation with its nonce was seen. */
const isReplaced = ({ state, reason_code }: OperationRow) => state === 'dropped' && reason_code === 'REPLACED'

/**
 * Dropped first operations of accounts that are now deployed: their nonce is unused, so they were never
 * included.
 */
async function findDeployed(
  network: Network,
  rows: readonly OperationRow[],
  blockNumber: bigint,
): Promise<ReadonlySet<OperationRow>> {
  const deploying = rows.filter(({ state, deploys }) => state === 'dropped' && deploys)
  if (deploying.length === 0) return new Set()
  // A multicall cannot read code. Each account is a Safe, and only a deployed one answers.
  const answers = await network.call((client) =>
    client.multicall({
      blockNumber,
      batchSize: 0, // one request for all of them
      contracts: deploying.map(
        ({ account }) => ({ address: account as Address, abi: safeAbi, functionName: 'nonce' }) as const, // the column holds 0x and 40 digits
      ),
    }),
  )
  return new Set(deploying.filter((_, index) => answers[index]?.status === 'success'))
}

/**
 * Unix seconds, the last one in which the chain includes an operation; 0: no expiry. Other clients sign
 * without an expiry although the paymaster sets one, and EntryPoint enforces both.
 */
function validUntilOf(
  network: Network,
  row: OperationRow,
  { validUntil }: Pick<PayerHooks, 'validUntil'>,
): number {
  const { paymasterAndData = '0x' } = row.user_op as Partial<WireUserOperation> // the service's own JSON form
  const ends = [row.valid_until, validUntil(network, paymasterAndData as Hex)].filter((end) => end > 0)
  return ends.length === 0 ? 0 : Math.min(...ends)
}
