import { type Hash, hashTypedData } from 'viem'
import type { SafeTransaction, SafeTransactionContext } from './safe-transaction.ts'
import { safeTransactionTypedData } from './safe-transaction-typed-data.ts'

/**
 * The 32 bytes that an owner signs for a transaction: `Safe.getTransactionHash`. A passkey signs it as the
 * challenge.
 */
export function getSafeTransactionHash(transaction: SafeTransaction, context: SafeTransactionContext): Hash {
  return hashTypedData(safeTransactionTypedData(transaction, context))
}
