import type { Address } from 'viem'
import type { SenderContext } from './context.ts'
import { keepLease, type Lease, LeaseLost, releaseLease, takeLease } from './lease.ts'

/**
 * Runs a pass while only this process may send for the account.
 *
 * @returns the result of the pass; undefined if another process holds the account, or took it over in the
 * meantime
 */
export async function underLease<T>(
  context: SenderContext,
  sender: Address,
  pass: (lease: Lease) => Promise<T>,
): Promise<T | undefined> {
  const lease = await takeLease(context, sender)
  if (!lease) return undefined
  await context.checkpoint('lease-taken')
  const stopRenewing = keepLease(context, lease)
  let result: T
  try {
    result = await pass(lease)
  } catch (error) {
    if (error instanceof LeaseLost) return undefined
    throw error
  } finally {
    stopRenewing()
    await releaseLease(context, lease)
  }
  await context.checkpoint('lease-released')
  return result
}
