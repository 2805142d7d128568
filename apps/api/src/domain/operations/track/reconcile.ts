import { accountReads, type WireUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import {
  dropDeployed,
  dropReplaced,
  endOperation,
  finalizeBlocks,
  forgetSignature,
  isDroppedAsDeployed,
  type OperationEnd,
  type OperationRow,
  recordReorg,
  restoreUndeployed,
} from '@lanyard/database'
import {
  type CanonicalBlocks,
  createCanonicalBlocks,
  type Network,
  type SeenBlock,
  withReservedShare,
} from '@lanyard/networks'
import type { Address, Hash, Hex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Sweep } from '../../../platform/sweep.ts'
import type { PayerHooks } from '../build-request.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { readNoncesUsed } from '../nonces.ts'
import { deliverAgain } from '../submit/deliver.ts'
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
  await observeDeployments(dependencies, network, page)
  const isChanged = await recordNonceUse(dependencies, network, page)
  await finalizeOpen(
    dependencies,
    network,
    isChanged ? await readOpen(database, network.chainId, page) : page,
  )
}

/**
 * Drops operations that would deploy an account which somebody else has deployed: anybody can, with the factory. Otherwise
 * their callers would wait in vain. If a reorg removes the deployment, they are sent again.
 *
 * No request is made unless the bundler has left one out of a bundle because its nonce or its account is not new.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function observeDeployments(
  { database, now, log }: OperationDependencies,
  network: Network,
  open: readonly OperationRow[],
): Promise<void> {
  // A remote bundler's rejection is examined when it arrives.
  if (network.config.bundler.kind === 'remote') return
  const doubtful = open.filter((row) => row.deploys && (isSkipped(row) || isDroppedAsDeployed(row)))
  if (doubtful.length === 0) return
  const deployed = await findDeployed(network, doubtful)
  for (const row of doubtful) {
    if (row.state === 'submitted' && deployed.has(row)) {
      log.warn(
        { userOpHash: row.user_op_hash, network: network.chainId },
        'somebody else deployed the account of an operation that deploys it',
      )
      await dropDeployed(database, row)
    } else if (row.state === 'dropped' && !deployed.has(row)) await restoreUndeployed(database, row, now())
  }
}

/** The bundler has left it out of a bundle without a reason: it cannot tell whether the operation is included. */
const isSkipped = ({ state, attempts, reason_code, next_attempt_at }: OperationRow) =>
  state === 'submitted' && attempts > 0 && reason_code === null && next_attempt_at !== null

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

/** Number of blocks whose operations one pass finalizes. */
const maxBlocks = 200

/**
 * Finalizes the operations of blocks that no reorg can remove any more.
 *
 * @param canonical - blocks that the chain has
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function finalizeIncluded(
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
async function finalizeOpen(
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
  const deployed = await findDeployed(
    network,
    doubtful.filter((row) => row.state === 'dropped' && row.deploys && !used.has(row)),
    { blockNumber },
  )
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
 * Which of these operations would deploy an account that is deployed, although their nonce is unused: so another
 * transaction deployed it. Both are read in one block, in which an operation deploys and uses its nonce at once.
 *
 * @param at - Default: the head
 */
async function findDeployed(
  network: Network,
  deploying: readonly OperationRow[],
  at: { readonly blockNumber?: bigint } = {},
): Promise<ReadonlySet<OperationRow>> {
  if (deploying.length === 0) return new Set()
  // A multicall cannot read code. Only a deployed account answers.
  const answers = await network.call((client) =>
    client.multicall({
      ...at,
      batchSize: 0, // one request for all of them
      contracts: deploying.flatMap(({ account, entry_point, nonce_key }) => [
        accountReads(account as Address).nonce, // the column holds 0x and 40 digits
        {
          address: entry_point as Address, // the column holds an address
          abi: entryPoint07Abi,
          functionName: 'getNonce',
          args: [account as Address, nonce_key], // the column holds 0x and 40 digits
        } as const,
      ]),
    }),
  )
  return new Set(
    deploying.filter(({ nonce_sequence }, index) => {
      const [own, next] = [answers[2 * index], answers[2 * index + 1]]
      return own?.status === 'success' && BigInt.asUintN(64, next?.result ?? 0n) <= nonce_sequence
    }),
  )
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
