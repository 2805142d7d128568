import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Deposit } from './read-deposit.ts'

/**
 * Co-signatures that a final block shows used, or past their deadline unused, bind nothing any more: the balance in
 * the same block says what they took.
 */
export async function applyWithdrawals(
  transaction: Transaction<Database>,
  account: string,
  { network, block, usedWithdrawals }: Deposit,
): Promise<void> {
  const open = () =>
    transaction
      .updateTable('orders')
      .where('account', '=', account)
      .where('output_network', '=', network)
      .where('withdrawal_state', '=', 'open')
  if (usedWithdrawals.size > 0) {
    await open()
      .set({ withdrawal_state: 'used' })
      .where('withdrawal_digest', 'in', [...usedWithdrawals])
      .execute()
  }
  // Withdrawals.sol refuses when block.timestamp > deadline, and no later block has an earlier time.
  await open()
    .set({ withdrawal_state: 'lapsed' })
    .where('withdrawal_deadline', '<', block.timestamp)
    .execute()
}
