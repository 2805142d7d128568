import type { Database, OrderRow } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { lockAccount } from '../../accounts/accounts/lock-account.ts'
import { closeReservations } from '../ledger/close-reservations.ts'
import { cosignWithdrawal } from '../ledger/cosign-withdrawal.ts'
import { toSolution } from '../quotes/solution.ts'
import type { SmartBalanceServices } from '../services.ts'
import { orderExpired } from './require-usable.ts'
import type { ReservedOrder, ReserveRequest } from './reserve-request.ts'

/**
 * Gets the operator's co-signature for the withdrawal of a reserved order, and completes the order with it.
 * The signature is written under the account's lock, and only while the order is still reserved: an order
 * that replaces it sees either the issued co-signature or one that is never issued.
 *
 * @param head - Unix seconds, of the output network's head
 * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED: then nothing is reserved; ORDER_EXPIRED when a newer order
 * replaced it first
 */
export async function cosignOrder(
  services: SmartBalanceServices,
  request: ReserveRequest,
  { order, debits }: Pick<ReservedOrder, 'order' | 'debits'>,
  head: number,
): Promise<ReservedOrder> {
  const { database, log, now, checkpoint } = services
  const cosigned = await cosignWithdrawal(services, request, order, head).catch(async (error: unknown) => {
    await giveBack(database, order, now()).catch((cause: unknown) =>
      log.warn({ err: cause }, 'could not close a reservation; it expires by itself'),
    )
    throw error
  })
  await checkpoint('order:cosigned')
  const { withdrawal, digest } = cosigned
  return database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, order.account)
    const complete = await transaction
      .updateTable('orders')
      .set({
        withdrawal_salt: withdrawal.salt,
        withdrawal_deadline: withdrawal.deadline,
        withdrawal_digest: digest,
        withdrawal_signature: withdrawal.signature,
        withdrawal_state: 'open',
      })
      .where('order_id', '=', order.order_id)
      .where('state', '=', 'RESERVED')
      .where('closed_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!complete) throw orderExpired(order)
    const solution = toSolution(request.network, complete, debits, withdrawal)
    await request.onPersisted?.(transaction, solution)
    return { order: complete, debits, solution }
  })
}

/** No caller knows the order, so its reservation is released without waiting for its expiry. */
async function giveBack(
  database: Kysely<Database>,
  { account, order_id }: OrderRow,
  now: Date,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, account)
    await closeReservations(transaction, [order_id], now)
  })
}
