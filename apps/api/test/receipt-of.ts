import { type Hash, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { vi } from 'vitest'

/**
 * Waits for the receipt of a transaction. `waitForTransactionReceipt` of viem polls again only when there is a new
 * block. On a chain that mines only when it receives a transaction, there may be no further block.
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
