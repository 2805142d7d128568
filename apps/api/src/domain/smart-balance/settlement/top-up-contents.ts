import type { TransactionContents } from '@lanyard/bundler'
import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { Address } from 'viem'
import { lockOutputNetwork } from '../ledger/lock-output-network.ts'

/** SQL condition on a row `tx` of relayer_transactions: it tops up a gas deposit. */
export const hasTopUp = sql<boolean>`exists (select from gas_top_ups top_up where top_up.txn_hash = tx.txn_hash)`

/**
 * SQL condition on a row `tx` of relayer_transactions: it tops up a gas deposit, and no final block that
 * includes it has been read.
 */
export const hasOpenTopUp = sql<boolean>`exists (
  select from gas_top_ups top_up where top_up.txn_hash = tx.txn_hash and not top_up.final)`

/** Milliseconds. */
const hour = 3_600_000

interface Spending {
  readonly network: number
  readonly now: Date
  /** Transactions of this nonce are left out: at most one of them is ever mined. */
  readonly except?: { readonly sender: Address; readonly nonce: number }
}

/**
 * The sum of the top-ups that were signed for a network within the last hour, in any state: a signed
 * transaction cannot be revoked. Of those with the same nonce, the largest counts.
 *
 * @returns wei
 */
export async function sumTopUps(
  database: Kysely<Database>,
  { network, now, except }: Spending,
): Promise<bigint> {
  const rows = await database
    .selectFrom('gas_top_ups')
    .select(['sender', 'nonce'])
    .select(({ fn }) => fn.max('amount').as('amount'))
    .where('network', '=', network)
    .where('created_at', '>', new Date(now.getTime() - hour))
    .groupBy(['sender', 'nonce'])
    .execute()
  return rows
    .filter(({ sender, nonce }) => sender !== except?.sender.toLowerCase() || nonce !== except.nonce)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

interface TopUp {
  readonly network: number
  readonly sender: Address
  readonly nonce: number
  /** wei */
  readonly amount: bigint
  /** wei per hour. */
  readonly budget: bigint
  readonly now: () => Date
}

/**
 * A top-up as the contents of a transaction. It is counted in the transaction that writes the signed bytes,
 * under the network's lock, so that no process, even after a crash, signs more than an hour's budget.
 */
export const topUpContents = ({
  network,
  sender,
  nonce,
  amount,
  budget,
  now,
}: TopUp): TransactionContents => ({
  async lock(trx) {
    await lockOutputNetwork(trx, network)
    const spent = await sumTopUps(trx, { network, now: now(), except: { sender, nonce } })
    return spent + amount <= budget
  },
  async link(trx, txnHash) {
    await trx
      .insertInto('gas_top_ups')
      .values({
        txn_hash: txnHash,
        network,
        sender: sender.toLowerCase(),
        nonce,
        amount,
        created_at: now(),
        final: false,
      })
      // The same bytes, signed again after they were lost.
      .onConflict((conflict) => conflict.column('txn_hash').doUpdateSet({ created_at: now(), final: false }))
      .execute()
  },
})
