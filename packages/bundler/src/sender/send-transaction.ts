import { type Database, insertTransaction, markSent, type NewRelayerTransactionRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { type Address, type Hex, keccak256, type LocalAccount, type SignedAuthorization } from 'viem'
import type { OwnCallKind, SenderContext } from './context.ts'
import { fenced, type Lease, LeaseLost, renewing } from './lease.ts'
import { lossLeft, mayPayForCall } from './loss-left.ts'
import { isUnwanted, type SendOutcome, sendRawTransaction } from './send-raw-transaction.ts'
import type { SenderEvent, SenderReason } from './sender-event.ts'
import type { TransactionFees } from './transaction-fees.ts'

export interface OutgoingTransaction {
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  /** wei. Default: 0. */
  readonly value?: bigint
  /** EIP-7702: they apply before the call, and stay even if it reverts. Their gas is part of `gas`. Default: none. */
  readonly authorizations?: readonly SignedAuthorization[]
  readonly gas: bigint
  readonly fees: TransactionFees
  /** Writes its row and its contents. Default: only the row. */
  readonly record?: RecordTransaction
  /** Why it is sent. Default: `new`. */
  readonly reason?: SenderReason
  /** The transaction at the same nonce that it replaces, as far as it matters to observers. */
  readonly replaced?: { readonly since: Date; readonly hash: Hex } | undefined
  /** wei that it costs its sender at most, because its contents do not pay them. Default: 0. */
  readonly loss?: bigint
  /** If it is a call of the sender's own. */
  readonly ownCall?: OwnCallKind | undefined
}

/**
 * Writes a transaction's row together with its contents, while the lease is held.
 *
 * @returns `taken` if nothing was written, because its contents no longer wait or are in a transaction with
 * another nonce
 */
export type RecordTransaction = (
  row: NewRelayerTransactionRow,
) => Promise<'recorded' | 'taken' | 'lease-lost'>

/**
 * The contents of a transaction, stored in separate tables. Both functions run in the database transaction
 * that writes the row.
 */
export interface TransactionContents {
  /** Locks the contents. Returns whether they still wait and are in no transaction with another nonce. */
  readonly lock: (trx: Transaction<Database>) => Promise<boolean>
  /**
   * Links the contents to the transaction. The link may exist already, if the same bytes are written again.
   */
  readonly link: (trx: Transaction<Database>, txnHash: Hex) => Promise<void>
}

/**
 * Signs, records, then sends. In this order every sent transaction is in the table, and a process that dies
 * at any point leaves bytes that the next one resends.
 *
 * What its contents do not pay is taken from the sender's limit first. Above it nothing is signed, and the
 * observer gets `over-limit`.
 *
 * @returns undefined if nothing was sent: another transaction has taken the contents, they no longer wait, or it costs
 * its sender too much
 */
export async function sendTransaction(
  context: SenderContext,
  lease: Lease,
  sender: LocalAccount,
  transaction: OutgoingTransaction,
): Promise<SendOutcome | undefined> {
  const { network, checkpoint } = context
  if (await isOverLimit(context, lease, transaction)) return undefined
  const { authorizations = [] } = transaction
  const raw = await sender.signTransaction({
    ...(authorizations.length > 0
      ? { type: 'eip7702', authorizationList: [...authorizations] }
      : { type: 'eip1559' }),
    chainId: network.chainId,
    nonce: transaction.nonce,
    to: transaction.to,
    data: transaction.data,
    value: transaction.value ?? 0n,
    gas: transaction.gas,
    ...transaction.fees,
  })
  await checkpoint('signed')
  const row: NewRelayerTransactionRow = {
    txn_hash: keccak256(raw),
    network: network.chainId,
    relayer: lease.relayer.toLowerCase(),
    nonce: transaction.nonce,
    raw,
    gas_limit: transaction.gas,
    max_fee_per_gas: transaction.fees.maxFeePerGas,
    max_priority_fee_per_gas: transaction.fees.maxPriorityFeePerGas,
    state: 'live',
    block_number: null,
    block_hash: null,
    created_at: context.now(),
    sent_at: null,
    loss: transaction.loss ?? 0n,
    urgent: transaction.ownCall === 'urgent',
  }
  const { record = recordContents(context, lease) } = transaction
  const recorded = await record(row)
  if (recorded === 'lease-lost') throw new LeaseLost(`Relayer ${lease.relayer} was taken over`)
  if (recorded === 'taken') return undefined
  await checkpoint('row-written')
  const hash = row.txn_hash as Hex // a hash, see above
  const outcome = await sendRawTransaction(network, raw, transaction.fees)
  await checkpoint('sent')
  observe(context, lease, transaction, { hash, outcome })
  if (outcome === 'accepted') lease.accepted.set(hash, context.now())
  else await recordSent(context, lease, hash, toRecord(outcome, transaction))
  return outcome
}

/** Whether it costs its sender more than its limit leaves; says so. */
export async function isOverLimit(
  context: SenderContext,
  lease: Lease,
  { nonce, fees, loss = 0n, ownCall: kind, reason = 'new', replaced }: OutgoingTransaction,
): Promise<boolean> {
  if (loss === 0n) return false
  const isPaid = kind
    ? await mayPayForCall(context, lease, { nonce, loss, kind })
    : loss <= (await lossLeft(context, lease, nonce))
  if (isPaid) return false
  const { network, now, observe } = context
  observe({
    ...{ kind: 'over-limit', reason, network: network.chainId, sender: lease.relayer, nonce, fees, loss },
    ...(replaced && { hash: replaced.hash }),
    age: replaced ? now().getTime() - replaced.since.getTime() : 0,
  })
  return true
}

/** A replacement that the node rejects for its price is in no pool: the transaction that it replaces is. */
const toRecord = (outcome: SendOutcome, { replaced }: OutgoingTransaction): SendOutcome =>
  outcome === 'replacement-underpriced' && replaced ? 'refused' : outcome

function observe(
  { network, now, observe }: SenderContext,
  { relayer: sender }: Lease,
  { nonce, fees, data, reason = 'new', replaced, loss = 0n }: OutgoingTransaction,
  { hash, outcome }: { readonly hash: Hex; readonly outcome: SendOutcome },
): void {
  const age = replaced ? now().getTime() - replaced.since.getTime() : 0
  const event = { network: network.chainId, sender, nonce, hash, fees, age, loss }
  observe({ ...event, kind: kindOf(data, replaced !== undefined), reason })
  if (outcome !== 'accepted') observe({ ...event, kind: 'refused', reason: outcome })
}

const kindOf = (data: Hex, isReplacement: boolean): SenderEvent['kind'] =>
  data === '0x' && isReplacement ? 'emptied' : isReplacement ? 'replaced' : 'sent'

/**
 * Writes a transaction's row, and its contents if it has any, in one database transaction.
 *
 * @param intent - what a call of the sender's own achieves
 */
export const recordContents =
  (
    context: SenderContext,
    lease: Lease,
    contents?: TransactionContents,
    intent?: string,
  ): RecordTransaction =>
  (row) =>
    fenced(context, lease, async (trx) => {
      if (contents && !(await contents.lock(trx))) return 'taken'
      await insertTransaction(trx, row, intent ?? null)
      await contents?.link(trx, row.txn_hash as Hex) // a hash, see above
      return 'recorded'
    })

/**
 * Records when the bytes were last sent. A transaction that the node rejects is `lost`: it waits in no pool,
 * and its nonce is used again. (If it is mined nevertheless, the contract keeps its contents from taking
 * effect twice.)
 */
export async function recordSent(
  context: SenderContext,
  lease: Lease,
  hash: Hex,
  outcome: SendOutcome,
): Promise<void> {
  const sent = { hash, at: context.now(), isLost: isUnwanted(outcome) }
  if (await markSent(context.database, sent, renewing(context, lease))) return
  throw new LeaseLost(`Relayer ${lease.relayer} was taken over`)
}
