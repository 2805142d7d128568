import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database } from '../schema.ts'

interface Archived {
  /** Operations that were signed before are moved. */
  readonly before: Date
  readonly now: Date
  /** Operations that one transaction moves. */
  readonly limit: number
}

/** The columns of `operations`, which `every_operation` shows. */
const columnsOf = async (transaction: Transaction<Database>) => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'every_operation'::regclass and attnum > 0 order by attnum`.execute(transaction)
  return sql.join(rows.map(({ name }) => sql.ref(name)))
}

/**
 * Moves final operations into the partition of the month in which they were signed, with their sponsorship and the hashes of
 * their bundles. `every_operation` shows them as before. An operation that an order names stays, and so does one whose
 * sponsorship is not settled, and one that a newer operation replaces, until that one has moved.
 *
 * Processes may run it at once: each takes other rows.
 *
 * @returns the number moved, at most `limit`
 */
export const archiveOperations = (
  database: Kysely<Database>,
  { before, now, limit }: Archived,
): Promise<number> =>
  inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ hash: string; month: string }>`
      select user_op_hash as hash, to_char(signed_at at time zone 'UTC', 'YYYY-MM') as month from operations
      where final and signed_at is not null and signed_at < ${before}
        and not exists (select from orders where orders.user_op_hash = operations.user_op_hash)
        and not exists (select from order_operations o where o.user_op_hash = operations.user_op_hash)
        and not exists (select from sponsorships s where s.user_op_hash = operations.user_op_hash and s.charged is null)
        and not exists (select from operations newer where newer.replaces = operations.user_op_hash)
      order by signed_at limit ${limit} for update skip locked`.execute(transaction)
    if (rows.length === 0) return 0
    for (const month of new Set(rows.map((row) => row.month))) await ensurePartition(transaction, month)
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
    return rows.length
  })

/** @param month - `2026-01`, UTC */
async function ensurePartition(transaction: Transaction<Database>, month: string): Promise<void> {
  // One process at a time; `attach` does not hold up readers, nor writers of other partitions.
  await sql`select pg_advisory_xact_lock(hashtext('archived_operations'))`.execute(transaction)
  const { rows } = await sql<{ name: string; attached: boolean }>`
    select relname as name, relispartition as attached from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and starts_with(relname, ${partitionOf(month)})`.execute(
    transaction,
  )
  if (rows.some(({ attached }) => attached)) return
  // A detached one keeps its name: what still comes gets a partition of its own.
  const name = sql.table(rows.length === 0 ? partitionOf(month) : `${partitionOf(month)}_${rows.length + 1}`)
  const [from, to] = [month, nextMonth(month)].map((one) => sql.lit(`${one}-01T00:00:00Z`))
  await sql`create table ${name} (like archived_operations including defaults including constraints)`.execute(
    transaction,
  )
  await sql`alter table archived_operations attach partition ${name} for values from (${from}) to (${to})`.execute(
    transaction,
  )
}

const partitionOf = (month: string) => `archived_operations_${month.replace('-', '_')}`

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}
