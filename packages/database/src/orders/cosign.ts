import type { Transaction } from 'kysely'
import type { Database, OrderRow } from '../schema.ts'

export interface Cosignature {
  readonly salt: string
  /** Unix seconds: the last second in which it is usable. */
  readonly deadline: number
  readonly digest: string
  readonly signature: string
}

/**
 * Withdrawal `none → open`, while the order is still reserved. The caller holds the account's lock.
 *
 * @returns undefined when the order has ended
 */
export const recordCosignature = (
  transaction: Transaction<Database>,
  orderId: string,
  { salt, deadline, digest, signature }: Cosignature,
): Promise<OrderRow | undefined> =>
  transaction
    .updateTable('orders')
    .set({
      withdrawal_salt: salt,
      withdrawal_deadline: deadline,
      withdrawal_digest: digest,
      withdrawal_signature: signature,
      withdrawal_state: 'open',
    })
    .where('order_id', '=', orderId)
    .where('state', '=', 'RESERVED')
    .where('closed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

interface FinalBlock {
  readonly account: string
  readonly network: number
  /** Unix seconds, of the final block. */
  readonly timestamp: number
  /** The digests of the co-signatures that were used up to that block. */
  readonly used: readonly string[]
}

/**
 * Withdrawal `open → used` or `lapsed`: after the final block it holds nothing any more, since the balance in the same
 * block reflects what it took.
 */
export async function closeCosignatures(
  transaction: Transaction<Database>,
  { account, network, timestamp, used }: FinalBlock,
): Promise<void> {
  const open = transaction
    .updateTable('orders')
    .where('account', '=', account)
    .where('output_network', '=', network)
    .where('withdrawal_state', '=', 'open')
  if (used.length > 0) {
    await open.set({ withdrawal_state: 'used' }).where('withdrawal_digest', 'in', used).execute()
  }
  // Withdrawals.sol rejects when block.timestamp > deadline, and no later block has an earlier timestamp.
  await open.set({ withdrawal_state: 'lapsed' }).where('withdrawal_deadline', '<', timestamp).execute()
}
