import { linkToBundle } from '@lanyard/database'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { TransactionContents } from '../sender/send-transaction.ts'
import { isDue } from './waiting-operations.ts'

/** Condition on a row `tx` of relayer_transactions: it is a bundle. */
export const hasOperations = sql<boolean>`exists (
  select from relayer_transaction_operations link where link.txn_hash = tx.txn_hash)`

/**
 * Condition on a row `tx` of relayer_transactions: as far as the service knows, one of its operations is not
 * on chain.
 */
export const hasWaitingOperations = sql<boolean>`tx.txn_hash = any (array(
  select link.txn_hash from operations
    join relayer_transaction_operations link on link.user_op_hash = operations.user_op_hash
  where operations.state = 'submitted' and not operations.final and operations.signed_at is not null))`

/** Operations as the contents of a transaction, in bundle order. */
export const bundleContents = (
  operations: readonly Hex[],
  { relayer, nonce, now }: { readonly relayer: Address; readonly nonce: number; readonly now: () => Date },
): TransactionContents => ({
  async lock(trx) {
    // Locked, so that two relayers cannot both find an operation free.
    const due = await trx
      .selectFrom('operations')
      .select('user_op_hash')
      .where('user_op_hash', 'in', operations)
      .where('state', '=', 'submitted')
      .where('final', '=', false)
      // Another relayer may have scheduled a retry since it was picked.
      .where(isDue(now()))
      .orderBy('user_op_hash')
      .forUpdate()
      .execute()
    if (due.length !== operations.length) return false
    const taken = await trx
      .selectFrom('relayer_transaction_operations as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .select('link.txn_hash')
      .where('link.user_op_hash', 'in', operations)
      .where('tx.state', 'in', ['live', 'mined'])
      // A replacement holds the same operations under the same nonce.
      .where((eb) => eb.or([eb('tx.nonce', '!=', nonce), eb('tx.relayer', '!=', relayer.toLowerCase())]))
      .executeTakeFirst()
    return taken === undefined
  },
  link: (trx, txnHash) => linkToBundle(trx, txnHash, operations),
})
