import { type Database, openDebitStates } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { toNonce } from '../../operations/nonces.ts'
import { smartBalanceNetworks } from '../model/get-smart-balance.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { findKnownSigners } from '../model/signers.ts'
import { requestNetworks } from './network-bound.ts'
import { type Deposit, type DepositQueries, readDeposit } from './read-deposit.ts'
import { readLedger } from './read-ledger.ts'
import { writeDeposits } from './write-deposits.ts'

export interface SyncedLedger {
  /** The deposits on the networks that answered. */
  readonly deposits: readonly Deposit[]
  /** The error of each missing network, by chain id. If it has a ledger entry, the entry is outdated. */
  readonly failures: ReadonlyMap<number, unknown>
}

/**
 * Updates the ledger of an account to the networks' final blocks: its deposits, exits and pins, and in the
 * same transaction the settlements of its debits and the use of its co-signatures in those blocks. All
 * networks are queried in parallel, within the read time-out.
 *
 * @param account - in any letter case; an account without a row is read, and nothing is written.
 * @param networks - absent: all that have a smart balance
 */
export async function syncLedger(
  services: Pick<SmartBalanceServices, 'database' | 'networks' | 'log'>,
  account: string,
  networks: readonly Network[] = smartBalanceNetworks(services.networks),
): Promise<SyncedLedger> {
  const key = account.toLowerCase()
  const queries = await findQueries(services.database, key)
  const { answers: deposits, failures } = await requestNetworks(
    networks,
    (network) => readDeposit(network, getAddress(key), queries.on(network.chainId)),
    services.log,
  )
  await writeDeposits(services.database, key, deposits)
  return { deposits, failures }
}

/** The values to read from the networks for an account. */
interface LedgerQueries {
  readonly on: (network: number) => DepositQueries
}

/**
 * Collects the open items. They must be read before the chains are, so that a newer item does not count as
 * unsettled.
 */
async function findQueries(database: Kysely<Database>, account: string): Promise<LedgerQueries> {
  const [known, ledger, debits, withdrawals] = await Promise.all([
    findKnownSigners(database, account),
    readLedger(database, account),
    findOpenDebits(database, account),
    findOpenWithdrawals(database, account),
  ])
  return {
    on: (network) => ({
      signers: [
        ...new Set([
          ...known,
          ...(ledger.find((entry) => entry.network === network)?.requestedSigners ?? []),
        ]),
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
