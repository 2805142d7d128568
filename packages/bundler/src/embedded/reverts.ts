import { sql } from 'kysely'

const revertedWith = sql`select count(*)::int4 from relayer_transaction_operations link
    join relayer_transactions tx on tx.txn_hash = link.txn_hash
  where link.user_op_hash = operations.user_op_hash and tx.state = 'lost' and tx.block_number is not null`

/**
 * For a row of operations: the number of mined and reverted transactions that contained it. It counts
 * transactions, because `attempts` also counts deliveries.
 */
export const reverts = sql<number>`(${revertedWith})`

/** For a row of operations: the number of those transactions in which it was alone. */
export const revertsAlone = sql<number>`(${revertedWith} and not exists (
  select from relayer_transaction_operations beside
  where beside.txn_hash = link.txn_hash and beside.user_op_hash <> link.user_op_hash))`
