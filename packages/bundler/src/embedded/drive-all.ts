import { keepWaiting } from '@lanyard/database'
import type { LocalAccount } from 'viem'
import type { RetiredSenders } from '../sender/settle-retired.ts'
import type { EmbeddedContext } from './context.ts'
import { drainQueue } from './drain-queue.ts'
import { isSignerFailure } from './signer-failure.ts'

/**
 * One drive: each relayer in order does what it can, and what one cannot send is taken by the next. A relayer
 * whose key cannot be used is skipped and moved to the end of the order.
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
  let feesTooHigh: ReadonlySet<string> | undefined
  for (const relayer of [...order]) {
    try {
      const drained = await drainQueue(context, relayer)
      feesTooHigh = intersection(feesTooHigh, drained?.unaffordable ?? new Set())
    } catch (error) {
      if (!isSignerFailure(error)) throw error
      failure ??= error
      order.splice(order.indexOf(relayer), 1)
      order.push(relayer)
    }
  }
  if (feesTooHigh && feesTooHigh.size > 0) await explainLackOfFunds(context, order, [...feesTooHigh])
  if (failure !== undefined) throw failure
}

const intersection = (before: ReadonlySet<string> | undefined, now: ReadonlySet<string>) =>
  new Set([...now].filter((hash) => before?.has(hash) ?? true))

/** They stay due: the first relayer that has enough sends them. */
const explainLackOfFunds = ({ database }: EmbeddedContext, order: LocalAccount[], hashes: string[]) =>
  keepWaiting(database, hashes, {
    reason_code: 'BUNDLER_UNAVAILABLE',
    reason_message: `The relayer ${order.map(({ address }) => address).join(', ')} has too little to send the transaction. It will be retried.`,
  })
