import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { Address } from 'viem'
import type { TransactionPosition } from '../sender/create-sender.ts'
import type { TransactionContents } from '../sender/send-transaction.ts'

/** SQL condition on a row `tx` of relayer_transactions: it refills a relayer. */
export const hasRefill = sql<boolean>`exists (select from relayer_refills refill where refill.txn_hash = tx.txn_hash)`

/** SQL condition on a row `tx` of relayer_transactions: it refills a relayer, and is in no final block yet. */
export const hasOpenRefill = sql<boolean>`exists (
  select from relayer_refills refill where refill.txn_hash = tx.txn_hash and not refill.final)`

/** Milliseconds. */
const hour = 3_600_000

interface Spending {
  readonly network: number
  readonly now: Date
  /** Transactions with this nonce are left out: at most one of them is ever mined. */
  readonly except?: Pick<TransactionPosition, 'sender' | 'nonce'>
}

/**
 * What the refills of a network that were signed within the last hour can take from the treasury, in any state: a
 * signed transaction cannot be revoked. Of those with the same nonce, the largest counts.
 *
 * @returns wei, with fees
 */
export async function sumRefills(
  database: Kysely<Database>,
  { network, now, except }: Spending,
): Promise<bigint> {
  const { rows } = await sql<{ sender: string; nonce: number; most: string | bigint }>`
    select sender, nonce, max(amount + fee)::text as most from relayer_refills
    where network = ${network} and created_at > ${new Date(now.getTime() - hour)}::timestamptz
    group by sender, nonce`.execute(database)
  return rows
    .filter(({ sender, nonce }) => sender !== except?.sender.toLowerCase() || Number(nonce) !== except.nonce)
    .reduce((sum, { most }) => sum + BigInt(most), 0n)
}

/**
 * Relayers that a refill may still reach: one waits to be mined, or is in a later block than the one whose balances
 * were read.
 *
 * @returns addresses in lower case
 */
export async function findRefilling(
  database: Kysely<Database>,
  network: number,
  block: bigint,
): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('relayer_refills as refill')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'refill.txn_hash')
    .select('refill.relayer')
    .where('refill.network', '=', network)
    .where('refill.final', '=', false)
    .where((eb) => eb.or([eb('tx.state', '=', 'live'), eb('tx.block_number', '>', Number(block))]))
    .execute()
  return new Set(rows.map(({ relayer }) => relayer))
}

interface Refill extends TransactionPosition {
  readonly network: number
  readonly relayer: Address
  /** wei */
  readonly amount: bigint
  readonly gas: bigint
  /** wei per hour, fees included. */
  readonly budget: bigint
  readonly now: () => Date
}

/**
 * A refill as the contents of a transaction. It is counted in the database transaction that writes the signed bytes,
 * and no other process counts at the same time. So no number of processes signs more than an hour's budget, nor
 * two refills of one relayer, even with different treasuries.
 */
export function refillContents({
  network,
  sender,
  nonce,
  fees,
  relayer,
  amount,
  gas,
  budget,
  now,
}: Refill): TransactionContents {
  const fee = gas * fees.maxFeePerGas
  return {
    async lock(trx) {
      await sql`lock table relayer_refills in share row exclusive mode`.execute(trx)
      const spent = await sumRefills(trx, { network, now: now(), except: { sender, nonce } })
      if (spent + amount + fee > budget) return false
      const other = await trx
        .selectFrom('relayer_refills as refill')
        .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'refill.txn_hash')
        .select('refill.txn_hash')
        .where('refill.network', '=', network)
        .where('refill.relayer', '=', relayer.toLowerCase())
        .where('refill.final', '=', false)
        .where('tx.state', '=', 'live')
        .where((eb) =>
          eb.or([eb('refill.sender', '<>', sender.toLowerCase()), eb('refill.nonce', '<>', nonce)]),
        )
        .limit(1)
        .executeTakeFirst()
      return other === undefined
    },
    async link(trx, txnHash) {
      await trx
        .insertInto('relayer_refills')
        .values({
          txn_hash: txnHash,
          network,
          sender: sender.toLowerCase(),
          nonce,
          relayer: relayer.toLowerCase(),
          amount,
          fee,
          created_at: now(),
          final: false,
        })
        // The same bytes, signed again after they were lost.
        .onConflict((conflict) =>
          conflict.column('txn_hash').doUpdateSet({ created_at: now(), final: false }),
        )
        .execute()
    },
  }
}
