import type { RelayerTransactionRow } from '@lanyard/database'
import { type Fees, minFees } from '@lanyard/networks'
import { sql } from 'kysely'
import type { Hex, LocalAccount } from 'viem'
import { addBundleOverhead, bundleFees } from '../bundle-gas.ts'
import { readStoredOperation, type StoredOperation, storedOperationColumns } from '../operation-row.ts'
import { makesWayFor } from '../sender/free-nonces.ts'
import type { Lease } from '../sender/lease.ts'
import { lossLeft } from '../sender/loss-left.ts'
import { fillerCost, sendFiller } from '../sender/send-filler.ts'
import { isUnwanted } from '../sender/send-raw-transaction.ts'
import type { ReplacementReason } from '../sender/sender-event.ts'
import { hasWaited, type NonceState, newestOfEachNonce } from '../sender/settle-transactions.ts'
import { highestFeesAt } from '../sender/stuck-transaction.ts'
import {
  feesOf,
  raisedFees,
  replacementFees,
  shortfallOf,
  type TransactionFees,
  withinMarket,
} from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'
import {
  costOf,
  isCheapAt,
  type OperationCandidate,
  offered,
  planBundles,
  toCandidate,
} from './plan-bundles.ts'
import { checkBundle, sendBundle } from './send-bundle.ts'
import { resendOwn } from './send-own.ts'
import { waitingOperations } from './waiting-operations.ts'

interface Stuck {
  readonly row: RelayerTransactionRow
  readonly reason: ReplacementReason
  /** Whether the relayer may pay for its replacement: it has waited for long, or holds others up. */
  readonly mayCost: boolean
  /** False: only operations that are not cheap replace it, so that cheap ones do not take turns. Default: true */
  readonly mayStayCheap?: boolean
}

/**
 * Replaces each transaction of the relayer that is stuck: the market's fees exclude it, it has waited too long, its
 * owner has signed another operation with the same nonce, or it would revert, because another bundler has included one
 * of its operations.
 *
 * The replacement is a bundle of its own operations and of waiting ones that pay for higher fees and cannot revert; its other
 * operations stay in the older row and are picked again once that row is lost. If none can pay, the relayer
 * pays the difference, or an empty transaction, whichever costs less, within the hourly limit.
 *
 * A call of the relayer's own is sent again at higher fees, within what such calls may cost.
 */
export async function replaceStuckTransactions(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  state: NonceState,
): Promise<void> {
  for (const stuck of await findStuck(context, state)) await replace(context, lease, relayer, state, stuck)
}

async function findStuck(context: EmbeddedContext, state: NonceState): Promise<Stuck[]> {
  const newest = newestOfEachNonce(state.live)
  if (newest.length === 0) return []
  const market = await context.network.fees()
  const changed = await findChanged(context, newest)
  const { replaceAfter } = context.settings
  // One that holds others up waits for two blocks, unless the usual patience is shorter.
  const deliveryWindow = Math.min(replaceAfter, 2 * context.network.config.blockTime)
  const holdsOthersUp = newest.length >= Math.min(2, context.inFlightLimit.current(context.now()))
  return newest.flatMap((row): Stuck[] => {
    const fees = feesOf(row)
    const isNext = row.nonce === state.chainNonce
    const isOld = hasWaited(context, row, replaceAfter)
    const isHoldingUp = isNext && holdsOthersUp && hasWaited(context, row, deliveryWindow)
    const isExcluded =
      fees.maxFeePerGas < market.baseFeePerGas + market.minTip || fees.maxPriorityFeePerGas < market.minTip
    const mayCost = isNext && (isOld || isHoldingUp)
    const change = changed.get(row.txn_hash)
    // An empty transaction costs less than a reverted one.
    if (change?.isOvertaken) return [{ row, reason: 'raced', mayCost: true }]
    if (isExcluded) return [{ row, reason: 'fees', mayCost }]
    if (isNext && isOld) return [{ row, reason: 'age', mayCost }]
    if (change?.isBumped && (change.isAlone || (isNext && hasWaited(context, row, deliveryWindow)))) {
      return [{ row, reason: 'owner', mayCost: false }]
    }
    // Those that pay go first, whatever nonce a cheap one has. Without such, it stays.
    if (isCheapAt(fees, market)) return [{ row, reason: 'fees', mayCost, mayStayCheap: mayCost }]
    return []
  })
}

async function replace(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  state: NonceState,
  { row, reason, mayCost, mayStayCheap = true }: Stuck,
): Promise<void> {
  const market = await context.network.fees()
  const previous = await highestFeesAt(context, row)
  if (row.intent !== null) {
    const fees = replacementFees(previous, market, withinMarket(market))
    if (fees && (await resendOwn(context, lease, relayer, { row, fees, reason }))) return
    // It may stop a theft: it gives way only if the market excludes it, or if it has held others up.
    if (!mayStayCheap) return
  }
  const least = raisedFees(previous, minFees(market))
  const own = (await operationsAt(context, row)).map((stored) => toCandidate(context, stored))
  const waiting =
    reason === 'owner' ? [] : (await waitingOperations(context)).map((stored) => toCandidate(context, stored))
  const owners = new Set(own.map(({ sender }) => sender))
  const candidates = [...own, ...waiting.filter((one) => !one.mayRevert && !owners.has(one.sender))]
  const funds = state.funds + row.gas_limit * row.max_fee_per_gas
  const { nonce } = row
  const hash = row.txn_hash as Hex // written by this package from a hash
  const replacing = { nonce, reason, replaced: { since: row.created_at, hash } } as const

  /** Sends the first of these operations' bundles; false if none can be sent. */
  const send = async (members: readonly OperationCandidate[], mayLose: bigint): Promise<boolean> => {
    const [bundle] = planBundles(members, {
      market,
      maxOperations: context.settings.maxOperationsPerBundle,
      funds,
      turn: nonce,
    }).bundles
    if (!bundle) return false
    const pays = offered(
      bundle.members.map(({ fees }) => fees),
      market,
    )
    const fees = raisedFees(previous, pays)
    const batch = bundle.members.map(({ stored }) => stored)
    const { operations, delegations } = await checkBundle(context, relayer.address, batch, fees)
    if (operations.length === 0) return false
    const loss = lossOf(context, bundle.members, fees, market)
    if (loss > mayLose) return false
    const outcome = await sendBundle(context, lease, relayer, {
      ...replacing,
      ...{ fees, loss, operations, delegations, unproven: row.unproven },
    })
    if (outcome === undefined || isUnwanted(outcome)) return false
    const more = costOf(bundle.members, fees) - row.gas_limit * row.max_fee_per_gas
    state.funds -= greater(more, 0n)
    return true
  }

  const paying = candidates.filter(
    ({ fees }) => shortfallOf(least, fees) === 0n && (mayStayCheap || !isCheapAt(fees, market)),
  )
  if (await send(paying, 0n)) return
  if (reason === 'owner' || !mayCost) return
  const left = await lossLeft(context, lease, nonce)
  const fillerFees = raisedFees(previous, market)
  const empty = await fillerCost(context, relayer.address, fillerFees)
  const affordable = left < empty ? left : empty
  if (affordable > 0n && (await send(own.map(raisedTo(least)), affordable))) return
  const ownCall = makesWayFor(state.live, nonce)
  await sendFiller(context, lease, relayer, nonce, fillerFees, { ...replacing, ownCall })
}

/** The relayer pays what is missing. */
const raisedTo =
  (least: TransactionFees) =>
  (one: OperationCandidate): OperationCandidate => ({
    ...one,
    fees: {
      maxFeePerGas: greater(one.fees.maxFeePerGas, least.maxFeePerGas),
      maxPriorityFeePerGas: greater(one.fees.maxPriorityFeePerGas, least.maxPriorityFeePerGas),
    },
  })

const greater = (a: bigint, b: bigint) => (a > b ? a : b)

/** wei, at most: all of the gas at the fees of the operation that pays least. */
function lossOf(
  { network }: EmbeddedContext,
  members: readonly OperationCandidate[],
  fees: TransactionFees,
  market: Fees,
): bigint {
  const shortfall = members.reduce(
    (limit, { stored }) => greater(limit, shortfallOf(fees, bundleFees(network, stored.operation, market))),
    0n,
  )
  return addBundleOverhead(members.reduce((sum, { gas }) => sum + gas, 0n)) * shortfall
}

/**
 * The operations that may take the nonce of a transaction: those of all pending transactions with this nonce, and those with
 * which owners replace them.
 */
async function operationsAt(
  { database }: EmbeddedContext,
  { network, relayer, nonce }: RelayerTransactionRow,
): Promise<StoredOperation[]> {
  const rows = await database
    .selectFrom('operations')
    .select(storedOperationColumns)
    .where('operations.state', '=', 'submitted')
    .where('operations.final', '=', false)
    .where('operations.signed_at', 'is not', null)
    .where(
      sql<boolean>`(operations.account, operations.network, operations.nonce_key, operations.nonce_sequence) in (
        select bundled.account, bundled.network, bundled.nonce_key, bundled.nonce_sequence
        from relayer_transactions tx
          join relayer_transaction_operations link using (txn_hash)
          join operations bundled using (user_op_hash)
        where tx.network = ${network} and tx.relayer = ${relayer} and tx.nonce = ${nonce} and tx.state = 'live')`,
    )
    .execute()
  return rows.map(readStoredOperation)
}

interface Change {
  /** No other operation is in the transaction. */
  readonly isAlone: boolean
  /** An owner has replaced one of its operations. */
  readonly isBumped: boolean
  /** One of its operations is included in another transaction. */
  readonly isOvertaken: boolean
}

/** What has happened to the operations of pending transactions, by hash. */
async function findChanged(
  { database }: EmbeddedContext,
  rows: readonly RelayerTransactionRow[],
): Promise<Map<string, Change>> {
  const hashes = rows.map(({ txn_hash }) => txn_hash)
  const { rows: found } = await sql<{ txn_hash: string } & Change>`select link.txn_hash,
      count(*) = 1 as "isAlone",
      bool_or(bundled.state = 'included' and bundled.txn_hash is distinct from link.txn_hash) as "isOvertaken",
      bool_or(exists (
        select from operations newer
        where newer.account = bundled.account and newer.network = bundled.network
          and newer.nonce_key = bundled.nonce_key and newer.nonce_sequence = bundled.nonce_sequence
          and newer.user_op_hash <> bundled.user_op_hash
          and newer.state = 'submitted' and not newer.final and newer.signed_at is not null
          and not exists (
            select from relayer_transaction_operations sent join relayer_transactions tx using (txn_hash)
            where sent.user_op_hash = newer.user_op_hash and tx.state in ('live', 'mined')
          )
      )) as "isBumped"
    from relayer_transaction_operations link join operations bundled using (user_op_hash)
    where link.txn_hash = any(${hashes}::text[])
    group by link.txn_hash`.execute(database)
  return new Map(found.map(({ txn_hash, ...change }) => [txn_hash, change]))
}
