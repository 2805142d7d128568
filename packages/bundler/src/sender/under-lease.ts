import type { SenderContext } from './context.ts'
import { keepLease, type Lease, LeaseLost, releaseLease } from './lease.ts'

/**
 * Runs a pass while only this process may send for the account, and releases the account.
 *
 * @param lease - as it was just taken; null: another process holds the account
 * @returns the result of the pass; undefined if another process holds the account, or took it over in the
 * meantime
 */
export async function underLease<T>(
  context: SenderContext,
  lease: Lease | null,
  pass: (lease: Lease) => Promise<T>,
): Promise<T | undefined> {
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
