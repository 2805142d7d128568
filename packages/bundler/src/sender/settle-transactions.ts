import { type RelayerTransactionRow, recordTransactionOutcomes } from '@lanyard/database'
import { sql } from 'kysely'
import {
  type Address,
  type Hex,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { SenderContext } from './context.ts'
import { fenced, type Lease, LeaseLost, renewing } from './lease.ts'
import { isUnclear, isUnwanted, type SendOutcome, sendRawTransaction } from './send-raw-transaction.ts'
import { recordSent } from './send-transaction.ts'
import { feesOf, lowestFees, type TransactionFees } from './transaction-fees.ts'

/** The state of the sender's nonces. */
export interface NonceState {
  /** The chain's next nonce. */
  readonly chainNonce: number
  /** Transactions that may still be mined, by nonce. Those with the same nonce are in order of creation. */
  readonly live: readonly RelayerTransactionRow[]
  /** Their nonces; code that sends another transaction adds its nonce. */
  readonly liveNonces: Set<number>
  /** wei that the account can still spend on further transactions; code that sends one subtracts its cost. */
  funds: bigint
  /** The lowest cap and the lowest tip among its pending transactions; code that sends one updates them. */
  lowest: TransactionFees
  /** Whether the node dropped a transaction and did not take it again: its contents wait again. */
  readonly hasLost: boolean
  /** When the chain was read. */
  readonly settledAt: Date
}

type Outcome = { readonly row: RelayerTransactionRow } & (
  | { readonly state: 'mined' | 'lost'; readonly blockNumber: number; readonly blockHash: Hex }
  | { readonly state: 'live' | 'lost' }
)

/**
 * Brings the rows of a sender in line with the chain:
 * - If the chain has used a nonce, its transaction with a receipt is `mined` and the others are `lost`. A
 *   transaction that reverted is `lost` too and keeps its block; its contents are retried later (`reverted`).
 * - If the nonce of a mined transaction is free again (a reorg), the transaction is `live` again and is
 *   resent below.
 * - A mined transaction with unfinished contents is checked again.
 * - A pending transaction beyond a gap of nonces that no transactions of ours can have left was signed for a nonce that
 *   an RPC made up. It is `lost`: its contents wait again, and nobody pays to fill the gap.
 * - A transaction that was never sent to a node, or not recently, is resent. If the node clearly does not take it, it
 *   is `lost`: its contents wait again, and its nonce is free. After an unclear answer it stays `live`.
 *
 * The responses of a node that lags behind do no lasting harm: at worst bytes are sent without effect, or contents
 * are retried and the contract rejects them.
 */
export async function settleTransactions(context: SenderContext, lease: Lease): Promise<NonceState> {
  const settledAt = context.now()
  const [chainNonce, balance] = await context.network.call((client) =>
    Promise.all([
      client.getTransactionCount({ address: lease.relayer, blockTag: 'latest' }),
      client.getBalance({ address: lease.relayer, blockTag: 'latest' }),
    ]),
  )
  const rows = await unsettledRows(context, lease.relayer, chainNonce)
  const used = rows.filter(({ nonce }) => nonce < chainNonce)
  const [open, beyond] = splitAtGap(
    rows.filter(({ nonce }) => nonce >= chainNonce),
    chainNonce,
    context.settings.maxInFlight,
  )

  const outcomes: Outcome[] = [
    ...(await Promise.all(used.map((row) => readOutcome(context, row)))),
    ...open.filter(({ state }) => state !== 'live').map((row) => ({ row, state: 'live' as const })),
    ...beyond.filter(({ state }) => state === 'live').map((row) => ({ row, state: 'lost' as const })),
  ]
  await context.checkpoint('receipts-read')
  await recordOutcomes(context, lease, outcomes.filter(hasChanged))
  await context.checkpoint('settled')
  const lost = await resend(context, lease, open)
  const live = open.filter(({ txn_hash }) => !lost.has(txn_hash))
  forgetOthers(context, lease.relayer, live)
  const newest = newestOfEachNonce(live)
  const pending = newest.reduce((sum, row) => sum + row.gas_limit * row.max_fee_per_gas, 0n)
  return {
    chainNonce,
    live,
    liveNonces: new Set(live.map(({ nonce }) => nonce)),
    funds: balance > pending ? balance - pending : 0n,
    lowest: lowestFees(newest.map(feesOf)),
    hasLost: lost.size > 0 || beyond.length > 0,
    settledAt,
  }
}

/**
 * The rows that the chain can reach, and those beyond the first gap of more than `maxGap` nonces.
 *
 * @param rows - in order of nonces
 */
function splitAtGap(rows: readonly RelayerTransactionRow[], chainNonce: number, maxGap: number) {
  let next = chainNonce
  const first = rows.findIndex(({ nonce }) => {
    const isBeyond = nonce > next + maxGap
    next = nonce + 1
    return isBeyond
  })
  return first === -1 ? ([rows, []] as const) : ([rows.slice(0, first), rows.slice(first)] as const)
}

/** Of several transactions with the same nonce, the newest pays most. */
export const newestOfEachNonce = (rows: readonly RelayerTransactionRow[]): RelayerTransactionRow[] => [
  ...new Map(rows.map((row) => [row.nonce, row])).values(),
]

/**
 * Live rows, mined rows with unfinished contents and, if the chain's next nonce is given, rows that have a
 * block although their nonce is free again.
 */
export async function unsettledRows(
  { database, network, hasOpenContents }: SenderContext,
  relayer: Address,
  chainNonce = Number.MAX_SAFE_INTEGER,
): Promise<RelayerTransactionRow[]> {
  return await database
    .selectFrom('relayer_transactions as tx')
    .selectAll()
    .where('tx.network', '=', network.chainId)
    .where('tx.relayer', '=', relayer.toLowerCase())
    .where((eb) =>
      eb.or([
        eb('tx.state', '=', sql.lit('live')),
        // Bounded above, too: with only one bound, a generic plan expects a third of all rows.
        eb.and([
          eb.between('tx.nonce', chainNonce, Number.MAX_SAFE_INTEGER),
          eb('tx.block_number', 'is not', null),
        ]),
        eb.and([eb('tx.state', '=', 'mined'), hasOpenContents]),
      ]),
    )
    .orderBy('tx.nonce')
    .orderBy('tx.created_at')
    .execute()
}

async function readOutcome({ network }: SenderContext, row: RelayerTransactionRow): Promise<Outcome> {
  const receipt = await network.call((client) =>
    client
      .getTransactionReceipt({ hash: row.txn_hash as Hex }) // written by this package from a hash
      .catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined
        throw error
      }),
  )
  if (!receipt) return { row, state: 'lost' }
  return {
    row,
    state: succeeded(receipt) ? 'mined' : 'lost',
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
  }
}

const succeeded = ({ status }: TransactionReceipt) => status === 'success'

const hasChanged = (outcome: Outcome) =>
  outcome.state !== outcome.row.state ||
  ('blockHash' in outcome && outcome.blockHash !== outcome.row.block_hash)

async function recordOutcomes(
  context: SenderContext,
  lease: Lease,
  outcomes: readonly Outcome[],
): Promise<void> {
  if (outcomes.length === 0) return
  const reverted = outcomes.filter((outcome) => outcome.state === 'lost' && 'blockNumber' in outcome)
  const hashes = reverted.map(({ row }) => row.txn_hash as Hex) // written by this package from a hash
  if (hashes.length === 0) return writeOutcomes(context, lease, outcomes)
  const writeReverted = await context.reverted(hashes)
  await fenced(context, lease, async (trx) => {
    await writeOutcomes({ ...context, database: trx }, lease, outcomes)
    await writeReverted(trx)
  })
}

/** Writes the outcomes in one statement, while the lease is held. */
async function writeOutcomes(
  context: SenderContext,
  lease: Lease,
  outcomes: readonly Outcome[],
): Promise<void> {
  const rows = outcomes.map((outcome) => ({
    txn_hash: outcome.row.txn_hash,
    state: outcome.state,
    block_number: 'blockNumber' in outcome ? outcome.blockNumber : null,
    block_hash: 'blockHash' in outcome ? outcome.blockHash : null,
  }))
  if (await recordTransactionOutcomes(context.database, rows, renewing(context, lease))) return
  throw new LeaseLost(`Relayer ${lease.relayer} was taken over`)
}

/**
 * Resends what the node does not have, or may have forgotten. Of each nonce only the newest, which pays most.
 *
 * @returns the hashes of those that the node does not take: they are `lost`
 */
async function resend(
  context: SenderContext,
  lease: Lease,
  open: readonly RelayerTransactionRow[],
): Promise<ReadonlySet<string>> {
  const now = context.now().getTime()
  const lost = new Set<string>()
  for (const row of newestOfEachNonce(open)) {
    const sentAt = lease.accepted.get(row.txn_hash as Hex) ?? row.sent_at // written by this package from a hash
    const stale =
      sentAt === null || row.state !== 'live' || sentAt.getTime() + context.settings.resendAfter <= now
    if (!stale) continue
    const fees = feesOf(row)
    const outcome = await sendRawTransaction(context.network, row.raw as Hex, fees) // written by this package as hex
    await context.checkpoint('resent')
    const event = {
      network: context.network.chainId,
      sender: lease.relayer,
      nonce: row.nonce,
      hash: row.txn_hash as Hex, // written by this package from a hash
      fees,
      age: now - row.created_at.getTime(),
      loss: 0n,
    }
    context.observe({ ...event, kind: 'resent', reason: 'forgotten' })
    if (outcome !== 'accepted') context.observe({ ...event, kind: 'refused', reason: outcome })
    const isLost = isUnwanted(outcome) && !(await mayBeHeld(context, row, outcome))
    await recordSent(context, lease, event.hash, isLost ? outcome : 'accepted')
    if (!isLost || outcome === 'accepted') continue
    lost.add(row.txn_hash)
    context.observe({ ...event, kind: 'lost', reason: outcome })
  }
  return lost
}

/**
 * Whether a node that does not take a transaction again may hold it, or have handed it on. Words that nobody knows are
 * clear only together with a node that does not know the transaction.
 */
async function mayBeHeld(
  { network }: SenderContext,
  { txn_hash }: RelayerTransactionRow,
  outcome: SendOutcome,
): Promise<boolean> {
  if (!isUnclear(outcome)) return false
  if (outcome === 'busy') return true
  return await network.call((client) =>
    client
      .getTransaction({ hash: txn_hash as Hex }) // written by this package from a hash
      .then(
        () => true,
        (error: unknown) => !(error instanceof TransactionNotFoundError),
      ),
  )
}

/** Whether this process has seen it wait for this many milliseconds. */
export function hasWaited(
  { seenWaiting, now }: SenderContext,
  { txn_hash, relayer }: RelayerTransactionRow,
  milliseconds: number,
): boolean {
  const ofSender = seenWaiting.get(relayer) ?? new Map<string, Date>()
  seenWaiting.set(relayer, ofSender)
  const since = ofSender.get(txn_hash)
  if (!since) ofSender.set(txn_hash, now())
  return since !== undefined && since.getTime() + milliseconds <= now().getTime()
}

/** Forgets the sender's transactions that no longer wait. */
export function forgetOthers(
  { seenWaiting }: SenderContext,
  sender: Address,
  waiting: readonly RelayerTransactionRow[],
): void {
  const ofSender = seenWaiting.get(sender.toLowerCase())
  if (!ofSender) return
  const hashes = new Set(waiting.map(({ txn_hash }) => txn_hash))
  for (const hash of ofSender.keys()) if (!hashes.has(hash)) ofSender.delete(hash)
}
