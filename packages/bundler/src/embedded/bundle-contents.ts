import { sql } from 'kysely'

/** Condition on a row `tx` of relayer_transactions: it is a bundle, or a call of the relayer's own. */
export const isOfRelayer = sql<boolean>`(tx.intent is not null or exists (
  select from relayer_transaction_operations link where link.txn_hash = tx.txn_hash))`

/**
 * Condition on a row `tx` of relayer_transactions: as far as the service knows, one of its operations is not
 * on chain.
 */
export const hasWaitingOperations = sql<boolean>`tx.txn_hash = any (array(
  select link.txn_hash from operations
    join relayer_transaction_operations link on link.user_op_hash = operations.user_op_hash
  where operations.state = 'submitted' and not operations.final and operations.signed_at is not null))`
