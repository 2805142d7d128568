import type { SignedUserOperation } from '@lanyard/accounts'
import { toOperation } from '@lanyard/bundler'
import { type Database, nextAttempt, scheduleDebit } from '@lanyard/database'
import type { Outcome } from '@lanyard/smart-balance'
import { type Kysely, type NotNull, sql } from 'kysely'
import type { Hash, Hex } from 'viem'
import type { SettlementDependencies } from './dependencies.ts'

/** The debit of an attested order on a source network, with everything that proves it. */
export interface DueDebit {
  readonly orderId: string
  readonly orderHash: Hash
  readonly account: string
  readonly outputNetwork: number
  readonly outcome: Outcome
  /** Unix seconds. */
  readonly validUntil: number
  readonly attempts: number
  /** True when a mined transaction that contained it reverted. */
  readonly reverted: boolean
  readonly operation: SignedUserOperation
}

/** Debits that are due and not in a transaction that may still settle them, the earliest deadline first. */
export async function findDueDebits(
  database: Kysely<Database>,
  network: number,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DueDebit[]> {
  const rows = await selectDebits(database, network)
    .where((eb) => eb.or([eb('debit.next_attempt_at', 'is', null), eb('debit.next_attempt_at', '<=', now)]))
    .where(
      sql<boolean>`not exists (select from settlement_debits link
        join relayer_transactions tx on tx.txn_hash = link.txn_hash
        where link.order_id = debit.order_id and link.network = debit.network
          and not link.final and tx.state in ('live', 'mined'))`,
    )
    .orderBy('signed.valid_until')
    .orderBy('debit.order_id')
    .limit(limit)
    .execute()
  return rows.map(toDueDebit)
}

/** The debits of a settler's transaction that are still due, in the order of the batch. */
export async function findDebitsOf(
  database: Kysely<Database>,
  network: number,
  txnHash: Hash,
): Promise<DueDebit[]> {
  const rows = await selectDebits(database, network)
    .innerJoin('settlement_debits as link', (join) =>
      join.onRef('link.order_id', '=', 'debit.order_id').onRef('link.network', '=', 'debit.network'),
    )
    .where('link.txn_hash', '=', txnHash)
    .orderBy('link.position')
    .execute()
  return rows.map(toDueDebit)
}

/**
 * The signature is the one that the output network accepted, not the one that was submitted here. Without it
 * a debit waits.
 */
const selectDebits = (database: Kysely<Database>, network: number) =>
  database
    .selectFrom('order_debits as debit')
    .innerJoin('orders', 'orders.order_id', 'debit.order_id')
    .innerJoin('order_operations as signed', 'signed.order_hash', 'orders.order_hash')
    .innerJoin('operations', 'operations.user_op_hash', 'signed.user_op_hash')
    .select([
      'orders.order_id',
      'orders.account',
      'orders.output_network',
      'orders.outcome',
      'signed.order_hash',
      'signed.valid_until',
      'debit.attempts',
      'operations.user_op_hash',
      'operations.user_op',
    ])
    .select(
      sql<boolean>`exists (select from settlement_debits link
        join relayer_transactions tx on tx.txn_hash = link.txn_hash
        where link.order_id = debit.order_id and link.network = debit.network
          and tx.state = 'lost' and tx.block_number is not null)`.as('reverted'),
    )
    .select('signed.signature')
    .where('debit.network', '=', network)
    .where('debit.state', 'in', ['DUE', 'PARTIAL'])
    .where('debit.closed_at', 'is', null)
    .where('orders.state', '=', 'ATTESTED')
    .where('orders.outcome', 'is not', null)
    .where('signed.signature', 'is not', null)
    .$narrowType<{ signature: NotNull }>()

type DebitRow = Awaited<ReturnType<ReturnType<typeof selectDebits>['execute']>>[number]

const toDueDebit = (row: DebitRow): DueDebit => ({
  orderId: row.order_id,
  orderHash: row.order_hash as Hash, // the column holds 0x and 64 digits
  account: row.account,
  outputNetwork: row.output_network,
  outcome: row.outcome ?? 'failed', // the query leaves out orders without one
  validUntil: row.valid_until,
  attempts: row.attempts,
  reverted: row.reverted,
  operation: { ...toOperation(row), signature: row.signature as Hex }, // the column holds hex
})

/** Schedules the next attempt for a debit, with a back-off, and records the reason. The debit stays due. */
export async function scheduleRetry(
  { database, now, log }: Pick<SettlementDependencies, 'database' | 'now' | 'log'>,
  network: number,
  { orderId, attempts }: Pick<DueDebit, 'orderId' | 'attempts'>,
  reason: string,
): Promise<void> {
  const next = { attempts: attempts + 1, next_attempt_at: nextAttempt(attempts, now()), reason }
  const waits = await scheduleDebit(database, { order_id: orderId, network }, next)
  if (waits) log.warn({ orderId, network, reason }, 'a settlement waits')
}
