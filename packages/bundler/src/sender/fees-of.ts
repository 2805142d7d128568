import type { RelayerTransactionRow } from '@lanyard/database'
import type { TransactionFees } from './transaction-fees.ts'

/** The fees that a row's transaction offers. */
export const feesOf = (row: RelayerTransactionRow): TransactionFees => ({
  maxFeePerGas: row.max_fee_per_gas,
  maxPriorityFeePerGas: row.max_priority_fee_per_gas,
})
