import { dropSubmitted } from '@lanyard/database'
import { type Fees, minFees } from '@lanyard/networks'
import type { LocalAccount } from 'viem'
import type { StoredOperation } from '../operation-row.ts'
import { lowestFree } from '../sender/free-nonces.ts'
import { fenced, type Lease } from '../sender/lease.ts'
import { isUnwanted, type SendOutcome } from '../sender/send-raw-transaction.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import { lowestFees } from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'
import { type DeferReason, defer, explain } from './defer.ts'
import type { MayRevert } from './may-revert.ts'
import {
  costOf,
  type OperationCandidate,
  type PlannedBundle,
  planBundles,
  toCandidate,
} from './plan-bundles.ts'
import { type CheckedBundle, checkBundle, sendBundle } from './send-bundle.ts'
import { confirmFailures } from './simulate-batch.ts'
import type { WaitingOperation } from './waiting-operations.ts'

/** What a relayer remembers during one pass. */
export interface RelayerPass {
  readonly state: NonceState
  /** By operation: the most that may share a bundle with it, since a larger one was refused. */
  readonly maxShared: Map<string, number>
  /** Hashes of the operations that it has too little for. */
  readonly unaffordable: Set<string>
  /** Bundles that failed their simulation or were refused. They use no nonce, but count as a turn. */
  failedAttempts: number
  /** Bundles that the node refused. */
  refusals: number
}

/**
 * The result of one attempt to send a bundle. `sent-all`: it holds everything that waited. `again`: the queue or what is known has changed, so the next
 * attempt differs. `nothing`: no waiting operation can go now. `unable`: this relayer can send nothing more in
 * this pass; another one may.
 */
export type BundleOutcome = 'sent' | 'sent-all' | 'again' | 'nothing' | 'unable'

/** Plans, simulates, signs, records and sends one bundle at the relayer's next nonce. */
export async function sendNextBundle(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  waiting: readonly WaitingOperation[],
  pass: RelayerPass,
): Promise<BundleOutcome> {
  const { state, maxShared, unaffordable } = pass
  if (pass.refusals > maxRejections) return 'unable'
  const market = await context.network.fees()
  const nonce = lowestFree(state)
  const candidates = waiting.map((stored) =>
    withMaxShared(toCandidate(context, stored), maxShared.get(stored.hash)),
  )
  const held = candidates.flatMap((one, index) => {
    const stored = waiting[index]
    const why = stored && !one.blocked && one.mayRevert && whyHeld(context, stored, one.mayRevert)
    return why ? [{ stored, isFault: false, ...why }] : []
  })
  await defer(context, lease, [
    ...candidates.flatMap(({ stored, blocked }) =>
      // Another operation of the account may repay, so the account as a whole does not wait.
      blocked ? [{ stored, reason: { code: blocked.code, message: blocked.message }, isFault: false }] : [],
    ),
    ...held,
  ])
  const plan = planBundles(
    candidates.filter(({ stored }) => !held.some((one) => one.stored.hash === stored.hash)),
    {
      market,
      maxOperations: context.settings.maxOperationsPerBundle,
      funds: state.funds,
      turn: nonce + pass.failedAttempts,
    },
  )
  unaffordable.clear()
  for (const { stored } of plan.unaffordable) unaffordable.add(stored.hash)
  await explain(
    context,
    plan.tooCheap.map(({ stored }) => ({ stored, reason: tooCheap(stored.operation, market) })),
  )
  await defer(
    context,
    lease,
    plan.tooLarge.map(({ stored }) => ({ stored, reason: tooLarge })),
  )
  const [bundle, ...others] = plan.bundles
  if (!bundle) return 'nothing'
  await context.checkpoint('batch-picked')

  const batch = bundle.members.map(({ stored }) => stored)
  const later = likeThose(bundle, others).map(({ stored }) => stored)
  const checked = await checkBundle(context, relayer.address, batch, bundle.fees, later)
  const { operations, refused, doubted, spent, delegations } = checked
  await context.checkpoint('batch-simulated')
  const { fees } = bundle
  const isSent = operations.length > 0
  const unproven = bundle.members.some(({ mayRevert }) => mayRevert?.isUnproven)
  const [sending, confirming] = await Promise.allSettled([
    isSent
      ? sendBundle(context, lease, relayer, { nonce, fees, operations, delegations, unproven })
      : undefined,
    // Without the bundle, nothing passes before them in the next attempt.
    isSent ? confirmFailures(context, relayer.address, doubted, fees) : [],
  ])
  // The bundle does not wait for those that fail, and they wait whatever became of it.
  await defer(context, lease, [...refused, ...(confirming.status === 'fulfilled' ? confirming.value : [])])
  await dropSpent(context, lease, spent)
  if (sending.status === 'rejected') throw sending.reason
  const outcome = await afterSending(context, lease, pass, {
    nonce,
    outcome: sending.value,
    bundle: { ...bundle, members: bundle.members.filter(({ stored }) => operations.includes(stored)) },
  })
  return outcome === 'sent' && operations.length === waiting.length ? 'sent-all' : outcome
}

/**
 * Those of later bundles that may share a transaction with these, as far as it depends on who they are. Delegated EOAs share
 * none, but each is tried alone in any case.
 */
function likeThose(
  { members: [first] }: PlannedBundle<OperationCandidate>,
  later: readonly PlannedBundle<OperationCandidate>[],
): OperationCandidate[] {
  if (!first || (first.alone && first.mayRevert?.cause !== 'delegated')) return []
  return later
    .flatMap(({ members }) => members)
    .filter(
      ({ mayRevert, group, entryPoint }) =>
        mayRevert?.cause === first.mayRevert?.cause &&
        group === first.group &&
        entryPoint === first.entryPoint,
    )
}

/**
 * Why an operation that may revert has to wait. All of them together stop once `unpaidGasPerHour` is used up. Those for which
 * nothing vouches go one after the other for each caller, since one loss shows what the others are, and a caller's losses
 * take at most a share of what others have left.
 */
function whyHeld(
  { network }: EmbeddedContext,
  { lostLately, lostByCaller, isCallerBusy }: WaitingOperation,
  { isInBudget, isUnproven }: MayRevert,
): { readonly reason: DeferReason; readonly recheckInterval?: number } | undefined {
  const budget = BigInt(network.config.unpaidGasPerHour)
  if (isInBudget && lostLately >= budget) return { reason: overBudget }
  if (!isUnproven) return undefined
  const leftByOthers = budget - (lostLately - lostByCaller)
  if (lostByCaller * callerShare >= leftByOthers) return { reason: overShare }
  if (!isCallerBusy) return undefined
  return { reason: callerBusy, recheckInterval: Math.max(1_000, network.config.blockTime / 4) }
}

/** A caller's losses stop its unproven operations once they take one part in so many of what others left. */
const callerShare = 4n

const callerBusy: DeferReason = {
  code: 'RATE_LIMITED',
  message:
    'Another operation of this caller, whose account has not paid for one here either, is on its way. They go one after the other, and this one follows by itself.',
}

const overShare: DeferReason = {
  code: 'RATE_LIMITED',
  message:
    "Operations of this caller made transactions revert, and used up the caller's part of what this service pays for in an hour. Its accounts that have not paid for an operation here wait until the hour is over.",
}

const overBudget: DeferReason = {
  code: 'BUNDLER_UNAVAILABLE',
  message:
    'Reverted transactions have cost more than this service pays for in an hour. Accounts that it does not deploy, delegated EOAs, and operations with a third-party paymaster wait until the hour is over.',
}

const withMaxShared = (candidate: OperationCandidate, limit: number | undefined): OperationCandidate =>
  limit === undefined ? candidate : { ...candidate, maxShared: Math.min(limit, candidate.maxShared ?? limit) }

/** What the node's answer means for the rest of the pass. */
async function afterSending(
  context: EmbeddedContext,
  lease: Lease,
  pass: RelayerPass,
  {
    nonce,
    outcome,
    bundle: { members, fees },
  }: {
    readonly nonce: number
    readonly outcome: SendOutcome | undefined
    readonly bundle: PlannedBundle<OperationCandidate>
  },
): Promise<BundleOutcome> {
  const { state, maxShared } = pass
  if (outcome !== undefined && isUnwanted(outcome)) pass.refusals++
  switch (outcome) {
    case 'accepted':
    case 'nonce-used':
    case 'replacement-underpriced':
      state.liveNonces.add(nonce)
      state.funds -= costOf(members, fees)
      state.lowest = lowestFees([state.lowest, fees])
      return 'sent'
    case undefined: // taken by another relayer
    case 'tip-too-low': // the network has learned a higher one
      return 'again'
    case 'insufficient-funds':
      // The node knows of other costs. A smaller bundle may still be affordable.
      state.funds = costOf(members, fees) / 2n
      return 'again'
    case 'nonce-too-high':
      context.inFlightLimit.learn(state.liveNonces.size + 1, context.now())
      return 'unable'
    case 'cap-too-low':
    case 'busy':
      return 'unable'
    case 'refused':
      if (members.length === 1) await defer(context, lease, members.map(asRejected))
      for (const { stored } of members) maxShared.set(stored.hash, Math.floor(members.length / 2))
      return 'again'
  }
}

/** A node that refuses this many bundles in a pass refuses everything. */
const maxRejections = 64

const asRejected = ({ stored }: OperationCandidate) => ({
  stored,
  reason: {
    code: 'BUNDLER_UNAVAILABLE',
    message: 'The network did not accept the transaction. It will be retried.',
  } satisfies DeferReason,
})

/** Delivery rejects these; one may remain from a time when a remote bundler was configured. */
const tooLarge: DeferReason = {
  code: 'OPERATION_REFUSED',
  message: 'The operation does not fit into one transaction of this relayer.',
}

function tooCheap(
  { maxFeePerGas, maxPriorityFeePerGas }: WaitingOperation['operation'],
  market: Fees,
): NonNullable<DeferReason> {
  const least = minFees(market)
  return {
    code: 'FEE_TOO_LOW',
    message: `maxFeePerGas is ${maxFeePerGas} and maxPriorityFeePerGas ${maxPriorityFeePerGas} wei, but the network now needs ${least.maxFeePerGas} and ${least.maxPriorityFeePerGas}: the operation waits for its fees to fall.`,
  }
}

/**
 * `submitted → dropped`, for operations whose authorisations are spent while their senders are not delegated. Each needs
 * another authorisation, which only its owner can sign.
 */
async function dropSpent(
  context: EmbeddedContext,
  lease: Lease,
  spent: CheckedBundle<StoredOperation>['spent'],
): Promise<void> {
  if (spent.length === 0) return
  const reasons = new Map<string, string>(
    spent.map(({ stored, reason }) => [stored.hash, reason?.message ?? '']),
  )
  await fenced(context, lease, async (trx) => {
    const rows = await trx
      .selectFrom('operations')
      .select(['user_op_hash', 'account', 'network', 'nonce_key', 'nonce_sequence'])
      .where('user_op_hash', 'in', [...reasons.keys()])
      .where('state', '=', 'submitted')
      .where('final', '=', false)
      // In one order, so that two relayers do not wait for each other.
      .orderBy('user_op_hash')
      .forUpdate()
      .execute()
    for (const row of rows) {
      await dropSubmitted(trx, row, {
        reason_code: 'OPERATION_REFUSED',
        reason_message: reasons.get(row.user_op_hash) ?? null,
      })
    }
  })
}
