import type { TransactionContents } from '@lanyard/bundler'
import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { Address } from 'viem'
import { lockOutputNetwork } from '../ledger/lock-output-network.ts'

/** Of a row `tx` of relayer_transactions: it tops a gas deposit up. */
export const hasTopUp = sql<boolean>`exists (select from gas_top_ups top_up where top_up.txn_hash = tx.txn_hash)`

/** Of a row `tx` of relayer_transactions: it does, and no final block that was read has it yet. */
export const hasOpenTopUp = sql<boolean>`exists (
  select from gas_top_ups top_up where top_up.txn_hash = tx.txn_hash and not top_up.final)`

/** Milliseconds. */
const hour = 3_600_000

interface Spending {
  readonly network: number
  readonly now: Date
  /** The transactions of this nonce are left out: at most one of them is ever mined. */
  readonly except?: { readonly sender: Address; readonly nonce: number }
}

/**
 * What was signed to top the deposit of a network up within the last hour, whatever became of it: nothing takes such a
 * transaction back. Of those with one nonce the largest counts.
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
  /** wei for an hour. */
  readonly budget: bigint
  readonly now: () => Date
}

/**
 * A top-up as the contents of a transaction. It is counted in the transaction that writes the signed bytes, under the
 * network's lock, so that no process, and none that follows a dead one, signs more than an hour's budget.
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
      // The very bytes that were lost before, signed again.
      .onConflict((conflict) => conflict.column('txn_hash').doUpdateSet({ created_at: now(), final: false }))
      .execute()
  },
})
