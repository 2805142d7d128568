import type { Fees } from '@lanyard/networks'
import { leastFees } from '@lanyard/networks'
import type { Address, LocalAccount } from 'viem'
import { dropSpent } from '../eip7702/drop-spent.ts'
import { lowestFree } from '../sender/free-nonces.ts'
import type { Lease } from '../sender/lease.ts'
import { isUnwanted, type SendOutcome } from '../sender/node-rejections.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import { lowestFees } from '../sender/transaction-fees.ts'
import { checkBundle } from './check-bundle.ts'
import type { EmbeddedContext } from './context.ts'
import { type DeferReason, defer, explain } from './defer.ts'
import { costOf, type PlannedBundle, planBundles } from './plan-bundles.ts'
import { sendBundle } from './send-bundle.ts'
import { confirmFailures } from './simulate-batch.ts'
import { type OperationCandidate, toCandidate } from './to-candidate.ts'
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
 * The result of one attempt to send a bundle. `again`: the queue or what is known has changed, so the next
 * attempt differs. `nothing`: no waiting operation can go now. `unable`: this relayer can send nothing more in
 * this pass; another one may.
 */
export type BundleOutcome = 'sent' | 'again' | 'nothing' | 'unable'

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
  const held = waiting.filter(
    (one, index) => !candidates[index]?.blocked && isHeld(context, lease, state, one),
  )
  await defer(context, lease, [
    ...candidates.flatMap(({ stored, blocked }) =>
      // Another operation of the account may repay, so the account as a whole does not wait.
      blocked ? [{ stored, reason: { code: blocked.code, message: blocked.message }, isFault: false }] : [],
    ),
    ...held.map((stored) => ({
      stored,
      reason: isOverBudget(context, stored) ? overBudget : heldBack,
      isFault: false,
    })),
  ])
  const plan = planBundles(
    candidates.filter(({ stored }) => !held.some(({ hash }) => hash === stored.hash)),
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
  const { operations, refused, doubted, spent, external, delegations } = checked
  await context.checkpoint('batch-simulated')
  const { fees } = bundle
  const isSent = operations.length > 0
  const [sending, confirming] = await Promise.allSettled([
    isSent ? sendBundle(context, lease, relayer, { nonce, fees, operations, delegations }) : undefined,
    // Without the bundle, nothing passes before them in the next attempt.
    isSent ? confirmFailures(context, relayer.address, doubted, fees) : [],
  ])
  // The bundle does not wait for those that fail, and they wait whatever became of it.
  await defer(context, lease, [...refused, ...(confirming.status === 'fulfilled' ? confirming.value : [])])
  await dropSpent(context, lease, spent)
  if (sending.status === 'rejected') throw sending.reason
  const outcome = sending.value
  for (const { hash, operation, sentBy } of external.size > 0 ? waiting : []) {
    if (!operations.some((one) => one.hash === hash)) continue
    if (external.has(operation.sender.toLowerCase()))
      context.externalNonces.set(callerKey(lease.relayer, sentBy), nonce)
  }
  return await afterSending(context, lease, pass, {
    nonce,
    outcome,
    bundle: { ...bundle, members: bundle.members.filter(({ stored }) => operations.includes(stored)) },
  })
}

/** Those of later bundles that may share a transaction with these, as far as it depends on who they are. */
function likeThose(
  { members: [first] }: PlannedBundle<OperationCandidate>,
  later: readonly PlannedBundle<OperationCandidate>[],
): OperationCandidate[] {
  if (!first || first.alone) return []
  return later
    .flatMap(({ members }) => members)
    .filter(
      ({ alone, group, entryPoint }) => !alone && group === first.group && entryPoint === first.entryPoint,
    )
}

/**
 * Whether an operation whose validation may run foreign code has to wait: for the outcome of another one of the same
 * caller, since one loss shows what the others are, or because the network's losses have reached their limit. An EOA that
 * is about to be delegated runs known code, but it can use its authorisation up before the bundle: it waits at the limit.
 */
const isHeld = (
  context: EmbeddedContext,
  { relayer }: Lease,
  { liveNonces }: NonceState,
  stored: WaitingOperation,
): boolean => {
  const { operation, sentBy } = stored
  const isExternal = context.externalSenders.partOf(operation.sender) !== undefined
  const isDelegating = operation.authorization !== undefined
  return (
    ((isExternal || isDelegating) && isOverBudget(context, stored)) ||
    (isExternal && liveNonces.has(context.externalNonces.get(callerKey(relayer, sentBy)) ?? -1))
  )
}

const isOverBudget = (
  { network }: EmbeddedContext,
  { lostLately }: Pick<WaitingOperation, 'lostLately'>,
): boolean => lostLately >= BigInt(network.config.unpaidGasPerHour)

const callerKey = (relayer: Address, sentBy: string | null) => `${relayer} ${sentBy ?? ''}`

const heldBack: DeferReason = {
  code: 'BUNDLER_UNAVAILABLE',
  message:
    'Another operation of this caller, with an account that this service does not know either, is on its way.',
}

const overBudget: DeferReason = {
  code: 'BUNDLER_UNAVAILABLE',
  message:
    'Reverted transactions have cost more than this service pays for in an hour. Accounts that it does not deploy, and EOAs that are not delegated yet, wait until the hour is over.',
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
  const least = leastFees(market)
  return {
    code: 'FEE_TOO_LOW',
    message: `maxFeePerGas is ${maxFeePerGas} and maxPriorityFeePerGas ${maxPriorityFeePerGas} wei, but the network now needs ${least.maxFeePerGas} and ${least.maxPriorityFeePerGas}: the operation waits for its fees to fall.`,
  }
}
