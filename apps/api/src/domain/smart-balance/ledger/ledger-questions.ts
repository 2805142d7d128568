import { type Database, openDebitStates } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Hex } from 'viem'
import { toNonce } from '../../operations/lanes.ts'
import { findKnownSigners } from '../model/signers.ts'
import type { DepositQuestions } from './read-deposit.ts'
import { readLedger } from './read-ledger.ts'

/** The values to read from the networks for an account. */
export interface LedgerQuestions {
  readonly on: (network: number) => DepositQuestions
}

/**
 * Collects the open items. They must be read before the chains are, so that a newer item does not count as
 * unsettled.
 */
export async function findQuestions(database: Kysely<Database>, account: string): Promise<LedgerQuestions> {
  const [known, ledger, debits, withdrawals] = await Promise.all([
    findKnownSigners(database, account),
    readLedger(database, account),
    findOpenDebits(database, account),
    findOpenWithdrawals(database, account),
  ])
  return {
    on: (network) => ({
      signers: [
        ...new Set([...known, ...(ledger.find((entry) => entry.network === network)?.askedSigners ?? [])]),
      ],
      orders: debits
        .filter((debit) => debit.network === network)
        .map(({ order_hash, output_network, nonce_key, nonce_sequence }) => ({
          orderHash: order_hash as Hex, // the column holds hex
          outputNetwork: output_network,
          nonce: toNonce({ key: nonce_key, sequence: nonce_sequence }),
        })),
      withdrawals: withdrawals
        .filter((order) => order.output_network === network)
        .flatMap(({ withdrawal_digest }) => (withdrawal_digest === null ? [] : [withdrawal_digest as Hex])), // the same
    }),
  }
}

const findOpenDebits = (database: Kysely<Database>, account: string) =>
  database
    .selectFrom('order_debits')
    .innerJoin('orders', 'orders.order_id', 'order_debits.order_id')
    .innerJoin('order_operations', 'order_operations.order_id', 'orders.order_id')
    .select(['order_debits.network', 'order_operations.order_hash'])
    .select(['orders.output_network', 'orders.nonce_key', 'orders.nonce_sequence'])
    .where('orders.account', '=', account)
    .where('orders.closed_at', 'is', null)
    .where('order_debits.state', 'in', openDebitStates)
    .execute()

const findOpenWithdrawals = (database: Kysely<Database>, account: string) =>
  database
    .selectFrom('orders')
    .select(['output_network', 'withdrawal_digest'])
    .where('account', '=', account)
    .where('withdrawal_state', '=', 'open')
    .execute()
