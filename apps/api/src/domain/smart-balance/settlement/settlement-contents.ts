import type { TransactionContents } from '@lanyard/bundler'
import { lockDueDebits, recordDebitsSent } from '@lanyard/database'
import { sql } from 'kysely'
import type { Address } from 'viem'

/** SQL condition on a row `tx` of relayer_transactions: it settles debits. */
export const hasSettlements = sql<boolean>`exists (
  select from settlement_debits link where link.txn_hash = tx.txn_hash)`

/**
 * SQL condition on a row `tx` of relayer_transactions: it settles debits, and no final block that includes it
 * has been read.
 */
export const hasOpenSettlements = sql<boolean>`tx.txn_hash = any (array(
  select link.txn_hash from settlement_debits link where not link.final))`

interface Position {
  readonly network: number
  readonly sender: Address
  readonly nonce: number
}

/** Debits as the contents of a settler's transaction, in the order of the batch. */
export const settlementContents = (
  orderIds: readonly string[],
  { network, sender, nonce }: Position,
): TransactionContents => ({
  async lock(trx) {
    if (!(await lockDueDebits(trx, orderIds, network))) return false
    const taken = await trx
      .selectFrom('settlement_debits as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .select('link.txn_hash')
      .where('link.order_id', 'in', orderIds)
      .where('link.network', '=', network)
      .where('link.final', '=', false)
      .where('tx.state', 'in', ['live', 'mined'])
      // A replacement contains the same debits under the same nonce.
      .where((eb) => eb.or([eb('tx.nonce', '!=', nonce), eb('tx.relayer', '!=', sender.toLowerCase())]))
      .executeTakeFirst()
    return taken === undefined
  },
  async link(trx, txnHash) {
    await trx
      .insertInto('settlement_debits')
      .values(orderIds.map((order_id, position) => ({ txn_hash: txnHash, position, order_id, network })))
      .onConflict((conflict) => conflict.columns(['txn_hash', 'position']).doNothing())
      .execute()
    await recordDebitsSent(trx, orderIds, network)
  },
})
