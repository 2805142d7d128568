import type { Hash } from 'viem'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'
import { readIncludedOperation } from './read-included-operation.ts'

/**
 * Takes the owner's signature from the chain where an operation was not submitted here: without it, nothing could be
 * settled. Repeated until it is found.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function keepSignatures(
  { database, log }: SettlementDependencies,
  { network }: BalanceNetwork,
): Promise<void> {
  const unsigned = await database
    .selectFrom('orders')
    .innerJoin('order_operations as signed', 'signed.order_hash', 'orders.order_hash')
    .innerJoin('operations', 'operations.user_op_hash', 'signed.user_op_hash')
    .select(['orders.order_id', 'orders.order_hash', 'orders.txn_hash', 'signed.user_op_hash'])
    .where('orders.output_network', '=', network.chainId)
    .where('orders.closed_at', 'is', null)
    .where('orders.state', 'in', ['CLAIMED', 'FAILED', 'ATTESTED'])
    .where('operations.signature', 'is', null)
    .where('signed.signature', 'is', null)
    .execute()
  for (const { order_id, order_hash, txn_hash, user_op_hash } of unsigned) {
    if (txn_hash === null || order_hash === null) continue
    const operation = await readIncludedOperation(network, {
      txnHash: txn_hash as Hash, // the columns hold 0x and 64 digits
      userOpHash: user_op_hash as Hash,
    })
    if (!operation) {
      log.error(
        { orderId: order_id, txnHash: txn_hash },
        'the signature of an order cannot be read from the chain',
      )
      continue
    }
    await database
      .updateTable('order_operations')
      .set({ signature: operation.signature })
      .where('order_hash', '=', order_hash)
      .where('signature', 'is', null)
      .execute()
  }
}
