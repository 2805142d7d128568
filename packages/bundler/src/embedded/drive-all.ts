import type { LocalAccount } from 'viem'
import type { RetiredSenders } from '../sender/settle-retired.ts'
import type { EmbeddedContext } from './context.ts'
import { drainQueue } from './drain-queue.ts'
import { isSignerFailure } from './signer-failure.ts'

/**
 * One drive: each relayer in order does what it can. A relayer whose key cannot be used is skipped and moved
 * to the end of the order.
 *
 * @param order - the order of the relayers; modified when a relayer moves to the end
 * @param retired - relayers that are no longer configured
 * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED after all other relayers have run; NETWORK_UNAVAILABLE,
 * NETWORK_FAILED
 */
export async function driveAll(
  context: EmbeddedContext,
  order: LocalAccount[],
  retired: RetiredSenders,
): Promise<void> {
  await retired.settle()
  let failure: unknown
  for (const relayer of [...order]) {
    try {
      await drainQueue(context, relayer)
    } catch (error) {
      if (!isSignerFailure(error)) throw error
      failure ??= error
      order.splice(order.indexOf(relayer), 1)
      order.push(relayer)
    }
  }
  if (failure !== undefined) throw failure
}
