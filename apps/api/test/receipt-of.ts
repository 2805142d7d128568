import { type Hash, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { vi } from 'vitest'

/**
 * The receipt of a transaction, once it is mined. viem's own wait looks again when there is a new block: where blocks come
 * with transactions only, one that it looked at a moment too early is the last for a long time.
 */
export function receiptOf(
  chain: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hash,
): Promise<TransactionReceipt> {
  const read = async () => {
    try {
      return await chain.getTransactionReceipt({ hash })
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    }
  }
  return vi.waitUntil(read, { timeout: 180_000, interval: 20 })
}
