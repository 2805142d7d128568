import { type BlockRange, walkBlocks } from '@lanyard/networks'
import { compareInitializers, compareSafes } from './compare-accounts.ts'
import { compareDebits } from './compare-debits.ts'
import { compareFinality } from './compare-finality.ts'
import { compareLedger } from './compare-ledger.ts'
import { compareOperations } from './compare-operations.ts'
import { compareOrders } from './compare-orders.ts'
import type { RepairContext } from './context.ts'
import type { Difference } from './difference.ts'
import { readAccountEvents } from './read-events.ts'

/**
 * The result after a range of blocks, or, without a range, after the comparisons that do not depend on
 * blocks.
 */
export interface Compared {
  readonly range: BlockRange | undefined
  readonly differences: readonly Difference[]
}

/**
 * Replays a range of final blocks against the database, then makes the comparisons that do not depend on a
 * range: ledger, debits, finality, initializers. It only reads.
 *
 * @param maxWidth - maximum number of blocks in one request to the provider
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function* findDifferences(
  context: RepairContext,
  range: BlockRange,
  maxWidth?: bigint,
): AsyncGenerator<Compared> {
  const explained = new Set<string>()
  const walk = walkBlocks(
    context.network,
    range,
    (client, blocks) => readAccountEvents(client, context, blocks),
    { maxWidth },
  )
  for await (const { result: events, ...blocks } of walk) {
    for (const account of events.balances) explained.add(account)
    const differences = [
      ...(await compareOperations(context, blocks, events.operations)),
      ...(await compareOrders(context, blocks, events.outcomes)),
      ...(await compareSafes(context, events.safes)),
    ]
    yield { range: blocks, differences }
  }
  const differences = [
    ...(await compareInitializers(context)),
    ...(await compareFinality(context)),
    ...(await compareDebits(context)),
    ...(await compareLedger(context, explained)),
  ]
  yield { range: undefined, differences }
}
