import type { LanyardError } from '@lanyard/contracts'
import { type Fees, minFees, reachesMinFees } from '@lanyard/networks'
import {
  addBundleOverhead,
  bundleFees,
  bytesInBundle,
  gasInBundle,
  maxTransactionData,
  maxTransactionGas,
} from '../bundle-gas.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'
import type { StoredOperation } from '../operation-row.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'
import { rejectionForDebts } from './debts.ts'
import { type MayRevert, mayRevert } from './may-revert.ts'
import type { WaitingOperation } from './waiting-operations.ts'

/** An operation that could be sent, as far as its place in a bundle depends on it. */
export interface Candidate {
  /** At most one operation of a sender is in a bundle. Lower case. */
  readonly sender: string
  /** A transaction calls one EntryPoint. Lower case. */
  readonly entryPoint?: string | undefined
  /** The highest fees at which it pays for the transaction that carries it. */
  readonly fees: TransactionFees
  /** Gas that it adds to a transaction, see `bundleGasLimit`. */
  readonly gas: bigint
  /** Bytes that it adds to the call data. */
  readonly bytes: number
  /** When it was signed, milliseconds: of two equal ones, the older goes first. */
  readonly since: number
  /** It shares a bundle only with those of the same group. Undefined: the usual group, which goes first. */
  readonly group?: string | undefined
  /** It goes without any other, since it may harm them. */
  readonly alone?: boolean | undefined
  /** Why it cannot go now. It is in no bundle. */
  readonly blocked?: unknown
  /** The most operations of a bundle with it. A refused bundle is halved until the culprit is alone. */
  readonly maxShared?: number | undefined
}

export interface PlanLimits {
  readonly market: Fees
  readonly maxOperations: number
  /** wei that the relayer can still spend on transactions in flight. */
  readonly funds: bigint
  /** Counts the attempts to send a bundle, including unsuccessful ones. */
  readonly turn: number
}

export interface PlannedBundle<C extends Candidate> {
  readonly members: readonly C[]
  /** What the transaction offers. */
  readonly fees: TransactionFees
}

export interface Plan<C extends Candidate> {
  /** In the order in which they are sent. */
  readonly bundles: readonly PlannedBundle<C>[]
  /** Their fees do not reach the least ones (`minFees`). */
  readonly tooCheap: readonly C[]
  /** They do not fit into any transaction. */
  readonly tooLarge: readonly C[]
  /** The relayer has too little for a transaction with only this operation. Another one may have enough. */
  readonly unaffordable: readonly C[]
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Divides operations into bundles. A transaction offers the lowest fees among its operations, at most the
 * market's, so operations with similar fees share one: nobody's bundle waits for a cheap one.
 *
 * - Those that pay most go first. Cheap ones, which a slightly higher base fee excludes, go alone and last.
 * - A group that may revert on chain (`group`, `alone`) gets every fourth turn while others wait too: neither
 *   can block the other, and the delay is small.
 * - A bundle costs at most what the relayer can spend. If its funds do not last for the market's cap, it offers
 *   a lower one, down to the least.
 */
export function planBundles<C extends Candidate>(candidates: readonly C[], limits: PlanLimits): Plan<C> {
  const { market, maxOperations, funds, turn } = limits
  const open = candidates.filter(({ blocked }) => blocked === undefined)
  const tooCheap = open.filter(({ fees }) => !reachesMinFees(fees, market))
  const sendable = oneOfEachSender(open.filter((one) => !tooCheap.includes(one)).toSorted(byValue(market)))
  const tooLarge = sendable.filter((one) => !fits([one]))
  const least = minFees(market)
  const unaffordable = sendable.filter(
    (one) => !tooLarge.includes(one) && gasOf([one]) * least.maxFeePerGas > funds,
  )
  const ordered = sendable.filter((one) => !tooLarge.includes(one) && !unaffordable.includes(one))

  const bundles = (members: readonly C[]): PlannedBundle<C>[] =>
    fill(members, { market, maxOperations, funds }).map((bundle) => ({
      members: bundle,
      fees: affordableFees(bundle, market, funds),
    }))
  const isCheap = (one: C) => isCheapAt(one.fees, market)
  const dear = ordered.filter((one) => !isCheap(one))
  const usual = bundles(dear.filter((one) => !isSpecial(one)))
  const special = bundles(dear.filter(isSpecial)).toSorted((a, b) => oldest(a) - oldest(b))
  const cheap = bundles(ordered.filter(isCheap))
  return { bundles: [...takeTurns(usual, special, turn), ...cheap], tooCheap, tooLarge, unaffordable }
}

/** Offered in total by the transaction, and so what the node wants to see on the relayer's account. */
export const costOf = (members: readonly Candidate[], { maxFeePerGas }: TransactionFees): bigint =>
  gasOf(members) * maxFeePerGas

const isSpecial = ({ group, alone }: Candidate) => group !== undefined || alone === true

const oldest = ({ members }: PlannedBundle<Candidate>) => Math.min(...members.map(({ since }) => since))

/**
 * Whether two more full blocks make its cap too low, or its tip is far below the market's: it may stay in the
 * pool for long.
 */
export const isCheapAt = (offered: TransactionFees, market: Fees): boolean =>
  offered.maxFeePerGas * 4n < market.baseFeePerGas * 5n + market.minTip * 4n ||
  offered.maxPriorityFeePerGas * 4n < market.maxPriorityFeePerGas

/** What an operation pays a block's producer at this base fee. */
const effectiveTip = ({ maxFeePerGas, maxPriorityFeePerGas }: TransactionFees, { baseFeePerGas }: Fees) =>
  lesser(maxPriorityFeePerGas, maxFeePerGas - baseFeePerGas)

const byValue =
  (market: Fees) =>
  (a: Candidate, b: Candidate): number =>
    compare(effectiveTip(b.fees, market), effectiveTip(a.fees, market)) ||
    compare(b.fees.maxFeePerGas, a.fees.maxFeePerGas) ||
    a.since - b.since

/** The first of each sender. */
const oneOfEachSender = <C extends Candidate>(candidates: readonly C[]): C[] =>
  [...new Map(candidates.toReversed().map((one) => [one.sender, one])).values()].toReversed()

/** Fills bundles in the given order; each operation goes into the first one that it may join. */
function fill<C extends Candidate>(
  ordered: readonly C[],
  { market, maxOperations, funds }: Pick<PlanLimits, 'market' | 'maxOperations' | 'funds'>,
): C[][] {
  const bundles: C[][] = []
  for (const one of ordered) {
    const joined = bundles.find((bundle) => mayJoin(bundle, one, market, maxOperations, funds))
    if (joined) joined.push(one)
    else bundles.push([one])
  }
  return bundles
}

function mayJoin(
  bundle: readonly Candidate[],
  one: Candidate,
  market: Fees,
  maxOperations: number,
  funds: bigint,
): boolean {
  const [first] = bundle
  if (!first || first.alone || one.alone || first.group !== one.group) return false
  if (first.entryPoint !== one.entryPoint) return false
  if (isCheapAt(one.fees, market)) return false
  const together = [...bundle, one]
  const limit = Math.min(maxOperations, ...together.map(({ maxShared }) => maxShared ?? maxOperations))
  return (
    together.length <= limit &&
    areSimilar(first.fees, one.fees, market) &&
    fits(together) &&
    gasOf(together) * minFees(market).maxFeePerGas <= funds
  )
}

/** Whether a bundle with both loses little of what the first one pays: half its tip, a third of its cap. */
function areSimilar(first: TransactionFees, other: TransactionFees, market: Fees): boolean {
  const [a, b] = [offered([first], market), offered([other], market)]
  return b.maxPriorityFeePerGas * 2n >= a.maxPriorityFeePerGas && b.maxFeePerGas * 3n >= a.maxFeePerGas * 2n
}

const gasOf = (members: readonly Candidate[]) =>
  addBundleOverhead(members.reduce((sum, { gas }) => sum + gas, 0n))

const fits = (members: readonly Candidate[]) =>
  gasOf(members) <= maxTransactionGas &&
  members.reduce((sum, { bytes }) => sum + bytes, 0) <= maxTransactionData

/** The lowest fees among operations, at most the market's. */
export function offered(fees: readonly TransactionFees[], market: Fees): TransactionFees {
  const maxFeePerGas = fees.reduce((least, one) => lesser(least, one.maxFeePerGas), market.maxFeePerGas)
  const tip = fees.reduce(
    (least, one) => lesser(least, one.maxPriorityFeePerGas),
    market.maxPriorityFeePerGas,
  )
  return { maxFeePerGas, maxPriorityFeePerGas: lesser(tip, maxFeePerGas) }
}

/** The fees of a bundle, with a cap that the relayer can pay. */
function affordableFees(members: readonly Candidate[], market: Fees, funds: bigint): TransactionFees {
  const fees = offered(
    members.map((one) => one.fees),
    market,
  )
  const affordable = lesser(fees.maxFeePerGas, funds / gasOf(members))
  return { maxFeePerGas: affordable, maxPriorityFeePerGas: lesser(fees.maxPriorityFeePerGas, affordable) }
}

/** Every fourth turn is for the second list while the first has entries. */
function takeTurns<T>(first: readonly T[], second: readonly T[], turn: number): T[] {
  const [a, b] = [[...first], [...second]]
  const order: T[] = []
  for (let current = turn; a.length + b.length > 0; current++) {
    const next = current % 4 === 3 || a.length === 0 ? (b.shift() ?? a.shift()) : a.shift()
    if (next !== undefined) order.push(next)
  }
  return order
}

/** A stored operation as a candidate for a bundle. */
export interface OperationCandidate extends Candidate {
  readonly stored: StoredOperation
  readonly blocked: LanyardError | undefined
  readonly mayRevert: MayRevert | undefined
}

/**
 * The attributes that decide how an operation shares a bundle.
 *
 * One that may revert on chain harms only its like, or goes alone, which also shows whether it is at fault.
 */
export function toCandidate(
  { network, rememberedSenders }: Pick<EmbeddedContext, 'network' | 'rememberedSenders'>,
  stored: StoredOperation &
    Partial<Pick<WaitingOperation, 'reverts' | 'failures' | 'owed' | 'callerLosses' | 'hasPaid' | 'sentBy'>>,
): OperationCandidate {
  const {
    operation,
    signedAt,
    reverts = 0,
    failures = 0,
    owed = 0n,
    callerLosses = 0,
    hasPaid = false,
    sentBy = null,
  } = stored
  const external = rememberedSenders.partOf(operation.sender)
  const fees = network.lastFees ?? { baseFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const { l1Fee } = network.config
  const may = mayRevert(network.config, { operation, external, hasPaid, reverts, failures })
  return {
    stored,
    sender: operation.sender.toLowerCase(),
    entryPoint: entryPointOf(network, operation).toLowerCase(),
    fees: bundleFees(network, operation, fees),
    gas: gasInBundle(operation, l1Fee),
    bytes: bytesInBundle(operation),
    since: signedAt.getTime(),
    group: may?.group,
    alone: may !== undefined && may.group === undefined,
    mayRevert: may,
    blocked: rejectionForDebts({ operation, owed, callerLosses, hasPaid, sentBy, external, fees }),
  }
}
