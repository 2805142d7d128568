import type { EmbeddedContext } from './context.ts'
import { readStoredOperation, type StoredOperation, storedOperationColumns } from './stored-operation.ts'

/** More than this are not looked at in one pass; they come in the next. */
const mostAtOnce = 200

/**
 * The queue: submitted operations of this network that are due, are in no transaction that may still include them,
 * and whose sender has none in a live transaction. ERC-7562 would let a sender have several in one bundle only when
 * staked; here the first would also change the state that the second was simulated on.
 */
export async function waitingOperations({
  database,
  network,
  now,
}: EmbeddedContext): Promise<StoredOperation[]> {
  const rows = await database
    .selectFrom('operations')
    .select(storedOperationColumns)
    .where('operations.network', '=', network.chainId)
    .where('operations.state', '=', 'submitted')
    .where('operations.final', '=', false)
    .where((eb) =>
      eb.or([eb('operations.next_attempt_at', 'is', null), eb('operations.next_attempt_at', '<=', now())]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('relayer_transaction_operations as link')
            .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
            .select('link.txn_hash')
            .whereRef('link.user_op_hash', '=', 'operations.user_op_hash')
            .where('tx.state', 'in', ['live', 'mined']),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('relayer_transactions as tx')
            .innerJoin('relayer_transaction_operations as link', 'link.txn_hash', 'tx.txn_hash')
            .innerJoin('operations as other', 'other.user_op_hash', 'link.user_op_hash')
            .select('link.txn_hash')
            .where('tx.network', '=', network.chainId)
            .where('tx.state', '=', 'live')
            .whereRef('other.account', '=', 'operations.account'),
        ),
      ),
    )
    .orderBy('operations.signed_at')
    .limit(mostAtOnce)
    .execute()
  return rows.map(readStoredOperation)
}
