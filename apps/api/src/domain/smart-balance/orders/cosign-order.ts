import { randomBytes } from 'node:crypto'
import { closeOrders, type Database, lockAccount, type OrderRow, recordCosignature } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type CosignedWithdrawal, getWithdrawalTypedData, maxValidity } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import { bytesToHex, type Hash, hashTypedData } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import { operatorOf } from '../model/operator.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { toSolution } from '../quotes/solution.ts'
import { orderExpired } from './find-order.ts'
import { type ReservedOrder, type ReserveRequest, reservationSeconds } from './reserve-request.ts'

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

interface CosignedPlan {
  readonly withdrawal: CosignedWithdrawal
  /** EIP-712 digest, the key of `usedWithdrawal`. */
  readonly digest: Hash
}

/**
 * The operator's co-signature for the amount that an order takes of the account's own deposit. It is valid as
 * long as an operation that is built in the last second of the reservation.
 *
 * Must not be called inside a transaction: the signer may be a remote service.
 *
 * @param head - Unix seconds, of the output network's head: its clock decides about the deadline
 */
async function cosignWithdrawal(
  services: Pick<SmartBalanceServices, 'env' | 'keys'>,
  { wallet, network }: { readonly wallet: Wallet; readonly network: Network },
  { withdrawal_amount: amount, withdrawal_fee: fee }: OrderRow,
  head: number,
): Promise<CosignedPlan> {
  const terms = {
    to: wallet.address,
    amount,
    fee,
    salt: bytesToHex(randomBytes(32)),
    deadline: head + reservationSeconds + maxValidity,
  }
  const typedData = getWithdrawalTypedData({
    ...terms,
    account: wallet.address,
    chainId: network.chainId,
    smartBalance: getSmartBalance(network).address,
  })
  const signature = await operatorOf(services, network).signTypedData(typedData)
  return { withdrawal: { ...terms, signature }, digest: hashTypedData(typedData) }
}
