import { closeOrders, type Database, type OrderRow, recordCosignature } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { lockAccount } from '../../accounts/accounts/lock-account.ts'
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
    const complete = await recordCosignature(transaction, order.order_id, { ...withdrawal, digest })
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
    await closeOrders(transaction, { orderIds: [order_id], from: ['RESERVED'], to: 'EXPIRED', now })
  })
}
