import type { ConnectionQueue } from '@lanyard/database'
import { createFairQueue, hasReservedShare, isProven, type RpcCaller } from '@lanyard/networks'
import { currentRpcCaller } from '../log/current-request.ts'

/** What a statement of a caller counts who is known for expensive calls, or not known at all: 1 for the others. */
const unprovenCost = 4

/**
 * Who waits for a connection to the database: the same order as before a node. Callers share the connections by group, those
 * known for usual calls go before the others, and the service itself goes first.
 *
 * @param readCaller - who asks for a connection; undefined: the service itself
 */
export function createConnectionQueue(
  readCaller: () => Pick<RpcCaller, 'path' | 'cost'> | undefined = () =>
    hasReservedShare() ? undefined : currentRpcCaller(),
): ConnectionQueue {
  const queue = createFairQueue<() => void>()
  return {
    add(start) {
      const caller = readCaller()
      if (!caller) queue.add(start, { path: [], cost: 0 })
      else queue.add(start, { path: caller.path, cost: isProven(caller) ? 1 : unprovenCost })
    },
    take: () => queue.take(),
    delete: (start) => queue.delete(start),
  }
}
