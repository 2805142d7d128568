import { recordOrderOutcome } from '@lanyard/database'
import type { AgreedBlock } from '@lanyard/networks'
import type { Hash } from 'viem'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'
import { findOutcomeEvents, placeOf, readOutcomes } from './read-outcomes.ts'
import type { OpenOrder, TrackedOrder } from './tracked-orders.ts'
import { findTrackedOrders, readOrderInclusions, readUsedNonces } from './tracked-orders.ts'

/**
 * Records which orders were claimed or failed, whichever of their operations was included and whoever bundled
 * it. RESERVED orders are checked too: the owner may have sent the operation through another service.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function recordOutcomes(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  const { database, checkpoint } = dependencies
  const tracked = await findTrackedOrders(database, pass, ['RESERVED', 'SUBMITTED'])
  const indebted = tracked.filter(({ hasDebits }) => hasDebits)
  const operations = indebted.flatMap((order) => order.operations)
  if (tracked.length === 0) return
  const head = await on.network.quorum.head()
  const decided = await readOutcomes(
    on,
    indebted.flatMap(({ order, operations: signed }) =>
      signed.map(({ order_hash }) => placeOf(order, order_hash)),
    ),
    head,
  )
  if (decided.size > 0) {
    const since = operations
      .filter(({ order_hash }) => decided.has(order_hash as Hash))
      .map(({ created_at }) => created_at)
      .reduce((least, at) => (at < least ? at : least))
    const found = await findOutcomeEvents(on, [...decided.keys()], { toBlock: head.number, since })
    const events = found.filter(({ orderHash, outcome }) => decided.get(orderHash) === outcome)
    await checkpoint('tracking:outcome-read')
    for (const event of events) await recordOrderOutcome(database, event)
    await checkpoint('tracking:outcome-recorded')
  }
  await recordSponsored(
    dependencies,
    on,
    tracked.filter(({ hasDebits }) => !hasDebits),
    head,
  )
}

/**
 * SmartBalance records no outcome for an order without debits: only the inclusion of its operation shows it.
 * Only an order whose nonce is used can be included.
 */
async function recordSponsored(
  { database }: SettlementDependencies,
  { network }: BalanceNetwork,
  sponsored: readonly TrackedOrder[],
  head: AgreedBlock,
): Promise<void> {
  const used = await readUsedNonces(network, sponsored, head)
  const inclusions = await readOrderInclusions(database, network, [...used])
  for (const { operations } of used) {
    for (const { order_hash: orderHash, user_op_hash } of operations) {
      const inclusion = inclusions.get(user_op_hash)
      if (!inclusion) continue
      const outcome = inclusion.success ? 'claimed' : 'failed'
      await recordOrderOutcome(database, { ...inclusion, orderHash, outcome })
    }
  }
}
