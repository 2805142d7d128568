import type { LocalAccount } from 'viem'
import type { RetiredSenders } from '../sender/settle-retired.ts'
import type { EmbeddedContext } from './context.ts'
import { drainQueue } from './drain-queue.ts'
import { isSignerFailure } from './signer-failure.ts'

/**
 * One drive: each relayer does what it can, in order. One whose key cannot be used is passed over, and comes last from
 * then on.
 *
 * @param order - of the relayers; changed when one has to come last
 * @param retired - those that are not configured any more
 * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED after the others had their turn; NETWORK_UNAVAILABLE, NETWORK_FAILED
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
