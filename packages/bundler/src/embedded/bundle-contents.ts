import { sql } from 'kysely'

/** Of a row `tx` of relayer_transactions: it is a bundle. */
export const hasOperations = sql<boolean>`exists (
  select from relayer_transaction_operations link where link.txn_hash = tx.txn_hash)`

/** Of a row `tx` of relayer_transactions: one of its operations is not on the chain, as far as the service knows. */
export const hasWaitingOperations = sql<boolean>`exists (
  select from relayer_transaction_operations link
    join operations on operations.user_op_hash = link.user_op_hash
  where link.txn_hash = tx.txn_hash and operations.state = 'submitted' and not operations.final)`
