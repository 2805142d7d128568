import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'

/**
 * A network's liquidity is reserved only under this lock. It is taken after the lock of an account, never
 * before.
 */
export async function lockOutputNetwork(transaction: Transaction<Database>, network: number): Promise<void> {
  await transaction
    .insertInto('smart_balance_networks')
    .values({ network })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await transaction
    .selectFrom('smart_balance_networks')
    .select('network')
    .where('network', '=', network)
    .forUpdate()
    .execute()
}
