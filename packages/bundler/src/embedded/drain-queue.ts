import type { LocalAccount } from 'viem'
import { fillGap } from '../sender/free-nonces.ts'
import { type Lease, releaseLease, takeLease, underLease } from '../sender/lease.ts'
import { type NonceState, settleTransactions, unsettledRows } from '../sender/settle-transactions.ts'
import type { EmbeddedContext } from './context.ts'
import { isCheapAt } from './plan-bundles.ts'
import { replaceStuckTransactions } from './replace-stuck-transactions.ts'
import { type RelayerPass, sendNextBundle } from './send-next-bundle.ts'
import { takeLeaseIfWaiting, type WaitingOperation, waitingOperations } from './waiting-operations.ts'

/** What a relayer left behind. */
export interface Drained {
  /** Hashes of the waiting operations that this relayer has too little for. */
  readonly unaffordable: ReadonlySet<string>
}

/**
 * Lets one relayer do everything that it can do now: settle its transactions, then send what waits.
 *
 * Returns immediately if another process holds the relayer. That process checks the queue again after it has
 * released the relayer, so one of the two sees an operation that was submitted in between.
 *
 * @returns undefined if the relayer did nothing
 */
export async function drainQueue(
  context: EmbeddedContext,
  relayer: LocalAccount,
): Promise<Drained | undefined> {
  // Uses only the database: a drive with nothing to do makes no RPC requests.
  let { waiting, lease } = await takeLeaseIfWaiting(context, relayer.address)
  if (waiting.length === 0) {
    if ((await unsettledRows(context, relayer.address)).length === 0) return undefined
    lease = await takeLease(context, relayer.address)
  }
  for (;;) {
    const found = waiting
    const drained = await underLease(context, lease, (held) => drainUnderLease(context, held, relayer, found))
    if (!drained || drained.isUnable) return drained
    ;({ waiting, lease } = await takeLeaseIfWaiting(context, relayer.address))
    // Those that it has just seen cannot go now.
    if (!waiting.some(({ hash }) => !drained.left.has(hash))) {
      if (lease) await releaseLease(context, lease)
      return drained
    }
  }
}

/**
 * @param found - what waited a moment ago; what another process has taken since is left out when a bundle is written
 * @returns `left`: what waits, and cannot go now; `isUnable`: this relayer can send nothing more in this pass
 */
async function drainUnderLease(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  found: readonly WaitingOperation[],
): Promise<Drained & { readonly left: ReadonlySet<string>; readonly isUnable: boolean }> {
  const recalled = found.length > 0 ? await recall(context, lease) : undefined
  let pass = recalled ? newPass(recalled) : await settle(context, lease, relayer)
  // What the node dropped waits again, and the nonce is free for it.
  let waiting = pass.state.hasLost ? await waitingOperations(context) : found
  let sent = 0
  const end = (isUnable: boolean) => ({
    unaffordable: pass.unaffordable,
    left: new Set(sent < maxInTurn ? waiting.map(({ hash }) => hash) : []),
    isUnable,
  })
  while (waiting.length > 0 && sent < maxInTurn) {
    if (isFull(context, pass)) {
      pass = { ...pass, state: (await settle(context, lease, relayer)).state }
      if (isFull(context, pass)) return end(true)
    }
    const outcome = await sendNextBundle(context, lease, relayer, waiting, pass)
    if (outcome === 'unable') return end(true)
    if (outcome === 'again') pass.failedAttempts++
    if (outcome === 'sent' || outcome === 'sent-all') sent++
    if (outcome === 'nothing') {
      if (pass.unaffordable.size === 0 || pass.state !== recalled) break
      // What it spent may have come back since.
      pass = { ...pass, state: (await settle(context, lease, relayer)).state }
    }
    // What has come meanwhile is found after the release, when the queue is read in any case.
    waiting = outcome === 'sent-all' ? [] : await waitingOperations(context)
  }
  await fillGap(context, lease, relayer, pass.state)
  if (pass.failedAttempts === 0) rememberNonces(context, lease, pass.state)
  return end(false)
}

/** The nonces of the last pass, unless one of its transactions is cheap: that one is replaced first, so that nothing waits behind it. */
async function recall(context: EmbeddedContext, lease: Lease): Promise<NonceState | undefined> {
  const recalled = recallNonces(context, lease)
  if (!recalled) return undefined
  return isCheapAt(recalled.lowest, await context.network.fees()) ? undefined : recalled
}

const newPass = (state: RelayerPass['state']): RelayerPass => ({
  state,
  maxShared: new Map(),
  unaffordable: new Set(),
  failedAttempts: 0,
  refusals: 0,
})

async function settle(context: EmbeddedContext, lease: Lease, relayer: LocalAccount): Promise<RelayerPass> {
  const state = await settleTransactions(context, lease)
  await replaceStuckTransactions(context, lease, relayer, state)
  return newPass(state)
}

/** Bundles after which a relayer is free for a moment: an urgent call of another process goes next. */
const maxInTurn = 8

const isFull = (context: EmbeddedContext, { state }: RelayerPass) =>
  state.liveNonces.size >= context.inFlightLimit.current(context.now())

/** Milliseconds for which they are used without reading the chain again. */
const maxAge = 1_000

/** Remembers the nonces of a relayer at the end of a pass in which the node accepted each transaction. */
function rememberNonces({ recentNonces }: EmbeddedContext, lease: Lease, nonces: NonceState): void {
  recentNonces.set(lease.relayer, { fence: lease.fence, nonces })
}

/**
 * The nonces that the previous pass left, if nobody else can have sent for the relayer since: each taking of a lease
 * increments its fence. What the chain has done since is settled by a later pass. A transaction that follows one
 * that a reorg removed waits in the node's pool until then.
 */
function recallNonces(
  { recentNonces, now }: EmbeddedContext,
  { relayer, fence }: Lease,
): NonceState | undefined {
  const recent = recentNonces.get(relayer)
  recentNonces.delete(relayer)
  if (recent?.fence !== fence - 1) return undefined
  const age = now().getTime() - recent.nonces.settledAt.getTime()
  return age >= 0 && age < maxAge ? recent.nonces : undefined
}
