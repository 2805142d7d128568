import type { RelayerTransactionRow } from '@lanyard/database'
import type { SenderContext } from './context.ts'
import type { NonceState } from './settle-transactions.ts'
import type { TransactionFees } from './transaction-fees.ts'
import { hasWaited } from './waiting-times.ts'

/** The transaction that blocks all others of the sender, if it has waited for `replaceAfter`. */
export function findStuckTransaction(
  context: SenderContext,
  { live, chainNonce }: NonceState,
): RelayerTransactionRow | undefined {
  const oldest = live.filter(({ nonce }) => nonce === chainNonce).at(-1)
  return oldest && hasWaited(context, oldest, context.settings.replaceAfter) ? oldest : undefined
}

/** The fees that a row's transaction offers. */
export const feesOf = (row: RelayerTransactionRow): TransactionFees => ({
  maxFeePerGas: row.max_fee_per_gas,
  maxPriorityFeePerGas: row.max_priority_fee_per_gas,
})
