import type { RelayerTransactionRow } from '@lanyard/database'
import type { LocalAccount } from 'viem'
import { mostThatIsPaid, replacementFees, type TransactionFees } from './bundle-fees.ts'
import type { EmbeddedContext } from './context.ts'
import type { Lease } from './lease.ts'
import { pickBatch } from './pick-batch.ts'
import { sendBundle } from './send-bundle.ts'
import { sendFiller } from './send-filler.ts'
import type { RelayerState } from './settle-transactions.ts'
import { simulateBatch } from './simulate-batch.ts'
import { readStoredOperation, type StoredOperation, storedOperationColumns } from './stored-operation.ts'
import { waitingOperations } from './waiting-operations.ts'

/**
 * Gets the relayer's oldest transaction out of the way when it has waited too long: its own operations again at
 * higher fees, as far as they pay for them; else whoever waits and pays more takes its nonce (its operations stay in
 * the older row and are taken up again when that is lost); else, when none of its operations can pass any more, a
 * transfer of nothing. Otherwise it waits for the base fee to fall.
 */
export async function replaceStuckTransaction(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  { live, chainNonce }: RelayerState,
): Promise<void> {
  const stuck = live.filter(({ nonce }) => nonce === chainNonce).at(-1)
  if (!stuck || !hasWaitedTooLong(context, stuck)) return

  const market = await context.network.fees()
  const previous = feesOf(stuck)
  const offer = async (candidates: readonly StoredOperation[]) => {
    const { passing } = await simulateBatch(context, relayer.address, candidates)
    if (passing.length === 0) return 'nothing-passes'
    const fees = replacementFees(previous, market, mostThatIsPaid(passing.map(({ operation }) => operation)))
    if (!fees) return 'too-expensive'
    await sendBundle(context, lease, relayer, { nonce: stuck.nonce, fees, operations: passing })
    return 'sent'
  }

  const own = await offer(await operationsOf(context, stuck))
  if (own === 'sent') return
  const richer = (await waitingOperations(context)).filter(
    ({ operation }) => replacementFees(previous, market, mostThatIsPaid([operation])) !== undefined,
  )
  const limits = { most: context.settings.maxOperationsPerBundle, beneficiary: relayer.address }
  if ((await offer(pickBatch(richer, limits))) === 'sent') return
  if (own === 'nothing-passes') {
    const fees = replacementFees(previous, market, unlimited)
    if (fees) await sendFiller(context, lease, relayer, stuck.nonce, fees)
  }
}

function hasWaitedTooLong(
  { seenWaiting, settings, now }: EmbeddedContext,
  { txn_hash }: RelayerTransactionRow,
): boolean {
  const since = seenWaiting.get(txn_hash)
  if (!since) seenWaiting.set(txn_hash, now())
  return since !== undefined && since.getTime() + settings.replaceAfter <= now().getTime()
}

/** A transfer is paid by the relayer: what it costs is bounded by its 21,000 gas. */
const unlimited: TransactionFees = { maxFeePerGas: 2n ** 64n, maxPriorityFeePerGas: 2n ** 64n }

const feesOf = (row: RelayerTransactionRow): TransactionFees => ({
  maxFeePerGas: row.max_fee_per_gas,
  maxPriorityFeePerGas: row.max_priority_fee_per_gas,
})

async function operationsOf(
  { database }: EmbeddedContext,
  row: RelayerTransactionRow,
): Promise<StoredOperation[]> {
  const rows = await database
    .selectFrom('relayer_transaction_operations as link')
    .innerJoin('operations', 'operations.user_op_hash', 'link.user_op_hash')
    .select(storedOperationColumns)
    .where('link.txn_hash', '=', row.txn_hash)
    .where('operations.state', '=', 'submitted')
    .where('operations.final', '=', false)
    .orderBy('link.position')
    .execute()
  return rows.map(readStoredOperation)
}
