import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'

/** Liquidity of a network is reserved only under this lock. Taken after an account's, never before. */
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
