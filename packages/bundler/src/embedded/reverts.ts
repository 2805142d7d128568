import { sql } from 'kysely'

const revertedWith = sql`select count(*)::int4 from relayer_transaction_operations link
    join relayer_transactions tx on tx.txn_hash = link.txn_hash
  where link.user_op_hash = operations.user_op_hash and tx.state = 'lost' and tx.block_number is not null`

/** For a row `tx`: accounts owe its cost, and they are others than that of the operation. */
const isOfOthers = sql`exists (
    select from relayer_losses loss where loss.txn_hash = tx.txn_hash and loss.owed > 0
  ) and not exists (
    select from relayer_losses loss
    where loss.txn_hash = tx.txn_hash and loss.user_op_hash = operations.user_op_hash
  )`

/**
 * For a row of operations: the number of mined and reverted transactions that contained it, without those for which
 * others are known to be at fault. It counts transactions, because `attempts` also counts deliveries.
 */
export const reverts = sql<number>`(${revertedWith} and not (${isOfOthers}))`

/** For a row of operations: the number of those transactions in which it was alone. */
export const revertsAlone = sql<number>`(${revertedWith} and not exists (
  select from relayer_transaction_operations beside
  where beside.txn_hash = link.txn_hash and beside.user_op_hash <> link.user_op_hash))`
