import { unpackPaymasterAndData } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { decodePaymasterAndData } from '@lanyard/smart-balance'
import type { Transaction } from 'kysely'
import { type Hex, isAddressEqual } from 'viem'
import type { PolicyServices } from '../../gas-policies/require-policy.ts'
import { returnSponsorship, takeSponsorship } from '../../gas-policies/take-sponsorship.ts'
import type { PayerHooks } from '../../operations/payer.ts'

/**
 * `RESERVED → SUBMITTED` in the transaction that writes the owner's signature. It does nothing for an
 * operation without an order. If the process dies afterwards, the worker sends the operation, and the order
 * follows it.
 *
 * @throws REBUILD when the order can no longer be used
 */
export async function submitOrder(
  transaction: Transaction<Database>,
  { user_op_hash }: OperationRow,
): Promise<void> {
  const signed = await transaction
    .selectFrom('order_operations')
    .select(['order_id', 'order_hash'])
    .where('user_op_hash', '=', user_op_hash)
    .executeTakeFirst()
  if (!signed) return
  const submitted = await transaction
    .updateTable('orders')
    .set({ state: 'SUBMITTED', order_hash: signed.order_hash, user_op_hash })
    .where('order_id', '=', signed.order_id)
    // SUBMITTED: an operation with higher fees replaces the previous one.
    .where('state', 'in', ['RESERVED', 'SUBMITTED'])
    .where('closed_at', 'is', null)
    .returning('order_id')
    .executeTakeFirst()
  if (submitted) return
  throw new LanyardError('REBUILD', {
    message: 'The order in this operation has expired. Compute a new solution and build with it.',
    details: { userOpHash: user_op_hash, orderId: signed.order_id },
  })
}

/**
 * Reverts `submitOrder`, in the transaction that records that the bundler rejected the operation before
 * sending it: the order is RESERVED again, or again belongs to the operation that the rejected one was meant
 * to replace.
 */
export async function returnOrder(
  transaction: Transaction<Database>,
  { user_op_hash }: OperationRow,
): Promise<void> {
  const order = await transaction
    .selectFrom('orders')
    .select('order_id')
    .where('user_op_hash', '=', user_op_hash)
    .where('state', '=', 'SUBMITTED')
    .forUpdate()
    .executeTakeFirst()
  if (!order) return
  const earlier = await transaction
    .selectFrom('order_operations')
    .innerJoin('operations', 'operations.user_op_hash', 'order_operations.user_op_hash')
    .select(['order_operations.order_hash', 'order_operations.user_op_hash'])
    .where('order_operations.order_id', '=', order.order_id)
    .where('order_operations.user_op_hash', '<>', user_op_hash)
    .where('operations.signature', 'is not', null)
    .where('operations.final', '=', false)
    .orderBy('order_operations.created_at', 'desc')
    .executeTakeFirst()
  await transaction
    .updateTable('orders')
    .set(
      earlier
        ? { order_hash: earlier.order_hash, user_op_hash: earlier.user_op_hash }
        : { state: 'RESERVED', order_hash: null, user_op_hash: null },
    )
    .where('order_id', '=', order.order_id)
    .execute()
}

/** The expiry of the order through which SmartBalance pays; 0 when another payer pays. */
export function orderValidUntil({ config }: Network, paymasterAndData: Hex): number {
  const paymaster = unpackPaymasterAndData(paymasterAndData)?.paymaster
  if (!paymaster || !config.smartBalance || !isAddressEqual(paymaster, config.smartBalance)) return 0
  const decoded = decodePaymasterAndData(paymasterAndData)
  return decoded.ok ? decoded.order.validUntil : 0
}

/** Keeps orders, and the budgets of policies, in step with the operations that they pay for. */
export const payerHooks = (services: Omit<PolicyServices, 'database'>): PayerHooks => ({
  async onSigned(transaction, row) {
    await submitOrder(transaction, row)
    await takeSponsorship(services, transaction, row)
  },
  async onUnsent(transaction, row) {
    await returnOrder(transaction, row)
    await returnSponsorship(transaction, row)
  },
  validUntil: orderValidUntil,
})
