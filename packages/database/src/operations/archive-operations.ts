import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database } from '../schema.ts'

/** An operation's place in the order in which a network's operations are archived. */
export interface ArchivePosition {
  readonly signedAt: Date
  readonly userOpHash: string
}

interface Archived {
  readonly network: number
  /** Operations that were signed before are moved. */
  readonly before: Date
  /** The last operation that was looked at. Absent: from the oldest on */
  readonly after?: ArchivePosition | undefined
  readonly now: Date
  /** Operations that one transaction looks at. */
  readonly limit: number
}

/** What one transaction did. */
export interface ArchivedBatch {
  readonly moved: number
  /** The last one that was looked at, whether it moved or has to stay. Undefined after the last batch. */
  readonly next: ArchivePosition | undefined
}

/** The columns of `operations`, which `every_operation` shows. */
const columnsOf = async (transaction: Transaction<Database>) => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'every_operation'::regclass and attnum > 0 order by attnum`.execute(transaction)
  return sql.join(rows.map(({ name }) => sql.ref(name)))
}

/**
 * Moves final operations of a network into the partition of the month in which they were signed, with their sponsorship and
 * the hashes of their bundles. `every_operation` shows them as before. An operation that an order names stays, and so does
 * one whose sponsorship is not settled, and one that a newer operation replaces, until that one has moved. Whoever calls
 * again passes `next` on, so that what stays is not read with each batch.
 *
 * Processes may run it at once: each takes other rows.
 */
export const archiveOperations = (
  database: Kysely<Database>,
  { network, before, after, now, limit }: Archived,
): Promise<ArchivedBatch> =>
  inTransaction(database, async (transaction) => {
    const { rows: looked } = await sql<{ hash: string; at: Date; month: string; stays: boolean }>`
      with batch as materialized ( -- first, so that the planner looks a batch up instead of hashing all orders
        select user_op_hash, signed_at from operations
        where network = ${network}::int8 and final and signed_at is not null and signed_at < ${before}
          and (${after === undefined} or (signed_at, user_op_hash) > (${after?.signedAt ?? before}::timestamptz, ${after?.userOpHash ?? ''}))
        order by signed_at, user_op_hash limit ${limit} for update skip locked
      )
      select user_op_hash as hash, signed_at as at, to_char(signed_at at time zone 'UTC', 'YYYY-MM') as month,
        exists (select from orders where orders.user_op_hash = batch.user_op_hash)
        or exists (select from order_operations o where o.user_op_hash = batch.user_op_hash)
        or exists (select from sponsorships s where s.user_op_hash = batch.user_op_hash and s.charged is null)
        or exists (select from operations newer where newer.replaces = batch.user_op_hash) as stays
      from batch order by signed_at, user_op_hash`.execute(transaction)
    const last = looked.length < limit ? undefined : looked.at(-1)
    const next = last && { signedAt: last.at, userOpHash: last.hash }
    const rows = looked.filter(({ stays }) => !stays)
    if (rows.length === 0) return { moved: 0, next }
    for (const month of new Set(rows.map((row) => row.month)))
      await sql`select ensure_archive_partition(${month})`.execute(transaction)
    const hashes = rows.map(({ hash }) => hash)
    const columns = await columnsOf(transaction)
    await sql`
      insert into archived_operations (${columns}, sponsorship, bundles, archived_at)
      select ${columns},
        (select to_jsonb(s) from sponsorships s where s.user_op_hash = operations.user_op_hash),
        (select coalesce(jsonb_agg(link.txn_hash), '[]') from relayer_transaction_operations link
          where link.user_op_hash = operations.user_op_hash),
        ${now}
      from operations where user_op_hash = any(${hashes}::text[])`.execute(transaction)
    for (const table of ['relayer_transaction_operations', 'sponsorships', 'operations'] as const) {
      await transaction
        .deleteFrom(table)
        .where('user_op_hash', '=', sql<string>`any(${hashes}::text[])`)
        .execute()
    }
    return { moved: rows.length, next }
  })

/** The networks with final operations that were signed before a time, found by one look into the index for each. */
export async function findArchivableNetworks(
  database: Kysely<Database>,
  before: Date,
): Promise<readonly number[]> {
  const settled = sql`from operations where final and signed_at is not null`
  const { rows } = await sql<{ network: number }>`
    with recursive found as (
      select (select network ${settled} order by network limit 1) as network
      union all
      select (select network ${settled} and network > found.network order by network limit 1)
      from found where found.network is not null
    )
    select network from found where network is not null and exists (
      select ${settled} and network = found.network and signed_at < ${before}
    ) order by network`.execute(database)
  return rows.map(({ network }) => Number(network))
}

/** Months (`2026-01`, UTC) whose operations were archived and are not in the database any more: somebody detached them. */
export async function findDetachedMonths(database: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ month: string }>`
    select month from archived_months where not exists (
      select from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'archived_operations'::regclass
        and starts_with(relname, 'archived_operations_' || translate(month, '-', '_'))
    ) order by month`.execute(database)
  return rows.map(({ month }) => month)
}
