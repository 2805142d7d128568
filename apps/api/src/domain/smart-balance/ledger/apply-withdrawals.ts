import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Deposit } from './read-deposit.ts'

/**
 * Co-signatures that are used, or past their deadline, according to a final block hold nothing any more: the
 * balance in the same block reflects what they took.
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
  // Withdrawals.sol rejects when block.timestamp > deadline, and no later block has an earlier timestamp.
  await open()
    .set({ withdrawal_state: 'lapsed' })
    .where('withdrawal_deadline', '<', block.timestamp)
    .execute()
}
