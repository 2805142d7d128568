import { closeDebit } from '@lanyard/database'
import { settlementWindow } from '@lanyard/smart-balance'
import { syncLedger } from '../ledger/sync-ledger.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'

/**
 * Ends debits whose settlement window has passed in a final block of their network: LOST when the ledger
 * shows that nothing was taken, otherwise permanently PARTIAL.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function closeDebits(
  dependencies: SettlementDependencies,
  { network }: BalanceNetwork,
): Promise<void> {
  const { database, log, now } = dependencies
  const open = await database
    .selectFrom('order_debits as debit')
    .innerJoin('orders', 'orders.order_id', 'debit.order_id')
    .innerJoin('order_operations as signed', 'signed.order_hash', 'orders.order_hash')
    .select(['orders.order_id', 'orders.account', 'signed.valid_until'])
    .where('debit.network', '=', network.chainId)
    .where('debit.state', 'in', ['DUE', 'PARTIAL'])
    .where('debit.closed_at', 'is', null)
    .execute()
  if (open.length === 0) return
  const { timestamp } = await network.quorum.final()
  for (const { order_id, account, valid_until } of open) {
    if (valid_until + settlementWindow >= timestamp) continue
    await syncLedger(dependencies, account, [network])
    const closed = await closeDebit(database, { order_id, network: network.chainId }, now())
    if (!closed) continue
    const lost = ((closed.due ?? 0n) - closed.settled_amount).toString()
    log.error({ orderId: order_id, network: network.chainId, lost }, 'the settlement window has closed')
  }
}
