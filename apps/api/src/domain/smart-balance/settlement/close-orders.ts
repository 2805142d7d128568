import { closeOrders } from '@lanyard/database'
import { sql } from 'kysely'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'
import { findTrackedOrders, type OpenOrder } from './tracked-orders.ts'

/**
 * `ATTESTED → SETTLED` when every debit has ended. Also closes orders without debits once their block is
 * final.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function closeEndedOrders(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  await closeSettled(dependencies, on)
  await closeSponsored(dependencies, on, pass)
}

async function closeSettled(
  { database, now, checkpoint }: SettlementDependencies,
  { network }: BalanceNetwork,
): Promise<void> {
  const ended = await database
    .selectFrom('orders')
    .select('order_id')
    .where('output_network', '=', network.chainId)
    .where('state', '=', 'ATTESTED')
    .where('closed_at', 'is', null)
    .where(
      sql<boolean>`not exists (select from order_debits debit where debit.order_id = orders.order_id
        and debit.state in ('RESERVED', 'DUE', 'PARTIAL') and debit.closed_at is null)`,
    )
    .execute()
  if (ended.length === 0) return
  const orderIds = ended.map(({ order_id }) => order_id)
  await database
    .transaction()
    .execute((trx) => closeOrders(trx, { orderIds, from: ['ATTESTED'], to: 'SETTLED', now: now() }))
  await checkpoint('tracking:closed')
}

/** An order without debits is settled by its own inclusion. A failed one stays FAILED. */
async function closeSponsored(
  { database, now }: SettlementDependencies,
  { network }: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  const tracked = await findTrackedOrders(database, pass, ['CLAIMED', 'FAILED'])
  const sponsored = tracked.filter(({ hasDebits }) => !hasDebits)
  if (sponsored.length === 0) return
  const { number: final } = await network.quorum.final()
  for (const { order } of sponsored) {
    if (BigInt(order.block_number ?? 0) > final) continue
    const to = order.state === 'CLAIMED' ? 'SETTLED' : 'FAILED'
    await database
      .transaction()
      .execute((trx) => closeOrders(trx, { orderIds: [order.order_id], from: [order.state], to, now: now() }))
  }
}
