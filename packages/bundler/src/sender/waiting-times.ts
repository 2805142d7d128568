import type { RelayerTransactionRow } from '@lanyard/database'
import type { Address } from 'viem'
import type { SenderContext } from './context.ts'

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
