import type { RelayerTransactionRow } from '@lanyard/database'
import type { Address } from 'viem'
import type { SenderContext } from './context.ts'
import type { NonceState } from './settle-transactions.ts'
import type { TransactionFees } from './transaction-fees.ts'

/** The transaction that blocks all others of the sender, if it has waited for `replaceAfter`. */
export function findStuckTransaction(
  context: SenderContext,
  { live, chainNonce }: NonceState,
): RelayerTransactionRow | undefined {
  const oldest = live.filter(({ nonce }) => nonce === chainNonce).at(-1)
  return oldest && hasWaited(context, oldest, context.settings.replaceAfter) ? oldest : undefined
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

/** The fees that a row's transaction offers. */
export const feesOf = (row: RelayerTransactionRow): TransactionFees => ({
  maxFeePerGas: row.max_fee_per_gas,
  maxPriorityFeePerGas: row.max_priority_fee_per_gas,
})
