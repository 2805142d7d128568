import { type Kysely, sql } from 'kysely'
import type { Database, RelayerTransactionRow } from '../schema.ts'

/** The right to send for a relayer. */
export interface BundleLease {
  readonly holder: string
  readonly fence: number
  /** Until when it is renewed. */
  readonly expiresAt: Date
}

/** An operation as it was read, in the order of the bundle. */
export interface BundledOperation {
  readonly hash: string
  readonly bundles: number
}

/** SQLSTATEs: not null, foreign key (PostgreSQL, Appendix A), and a deadlock with another relayer that takes the same. */
const isTaken = new Set(['23502', '40P01'])
const isLeaseLost = '23503'

/**
 * Writes a bundle before it is sent, in one statement: the lease is renewed, the transaction's row, its operations as
 * `submitted`, and which they are. All of it or nothing: an operation that another bundle took since it was read, or that
 * waits no longer, leaves a hole that the table does not take, and so does a lease that was lost.
 *
 * @param now - operations that wait for a later time are not due
 */
export async function recordBundle(
  db: Kysely<Database>,
  transaction: Omit<RelayerTransactionRow, 'state' | 'block_number' | 'block_hash' | 'sent_at'>,
  { holder, fence, expiresAt }: BundleLease,
  operations: readonly BundledOperation[],
): Promise<'written' | 'taken' | 'lease-lost'> {
  const { txn_hash, network, relayer, nonce, raw, created_at } = transaction
  const hashes = operations.map(({ hash }) => hash)
  const bundles = operations.map((operation) => operation.bundles)
  try {
    const { rows } = await sql<{ written: boolean }>`
      with held as (
        update relayer_leases set expires_at = ${expiresAt}
        where network = ${network} and relayer = ${relayer} and holder = ${holder} and fence = ${fence}
          and expires_at > ${created_at}
        returning fence
      ), written as (
        insert into relayer_transactions (
          txn_hash, network, relayer, nonce, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas,
          state, block_number, block_hash, created_at, sent_at
        )
        select ${txn_hash}, ${network}::int8, ${relayer}, ${nonce}::int8, ${raw},
          ${String(transaction.gas_limit)}::numeric, ${String(transaction.max_fee_per_gas)}::numeric,
          ${String(transaction.max_priority_fee_per_gas)}::numeric,
          'live', null, null, ${created_at}::timestamptz, null
        from held
        -- The very bytes that were lost before: signing is deterministic, and the nonce is free again.
        on conflict (txn_hash) do update
          set state = 'live', block_number = null, block_hash = null, created_at = excluded.created_at, sent_at = null
        returning txn_hash
      ), given as (
        select * from unnest(${hashes}::text[], ${bundles}::int4[]) with ordinality
          as given (user_op_hash, bundles, position)
      ), claimed as (
        update operations set
          bundles = operations.bundles + 1, state = 'submitted', next_attempt_at = null,
          reason_code = null, reason_message = null
        from given
        where operations.user_op_hash = given.user_op_hash and operations.bundles = given.bundles
          and not operations.final
          and (operations.state = 'submitting' or operations.state = 'submitted'
            and (operations.next_attempt_at is null or operations.next_attempt_at <= ${created_at}))
        returning operations.user_op_hash
      ), linked as (
        insert into relayer_transaction_operations (txn_hash, position, user_op_hash)
        select ${txn_hash}, given.position - 1, claimed.user_op_hash
        from given left join claimed using (user_op_hash)
        on conflict (txn_hash, position) do nothing
      )
      select exists (select from written) as written`.execute(db)
    return rows[0]?.written ? 'written' : 'lease-lost'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (isTaken.has(code)) return 'taken'
    if (code === isLeaseLost) return 'lease-lost'
    throw error
  }
}
