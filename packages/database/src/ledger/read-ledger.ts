import { type Kysely, sql } from 'kysely'
import type { Database, LedgerEntriesTable } from '../schema.ts'

/** The place of an entry in the order of an export. */
export interface LedgerPosition {
  readonly at: Date
  readonly network: number
  readonly block: number
  readonly logIndex: number
  readonly part: number
}

export interface LedgerQuery {
  readonly account: string
  readonly network?: number | undefined
  /** Times of blocks: from the first on, before the second. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly after?: LedgerPosition | undefined
  readonly limit: number
}

/** An entry with what other tables know of it. */
export interface LedgerRow extends LedgerEntriesTable {
  /** The name of the counterparty, if it is an account here that search finds. */
  readonly counterparty_name: string | null
  readonly order_id: string | null
  /** What the order cost, in units with 6 decimals of the settlement token. */
  readonly order_fee: bigint | null
}

/** A page of an account's entries, oldest first. */
export async function readLedgerEntries(
  database: Kysely<Database>,
  { account, network, from, to, after, limit }: LedgerQuery,
): Promise<readonly LedgerRow[]> {
  const key = account.toLowerCase()
  const wanted = [
    sql`entry.account = ${key}`,
    ...(network === undefined ? [] : [sql`entry.network = ${network}`]),
    ...(from ? [sql`entry.at >= ${from}`] : []),
    ...(to ? [sql`entry.at < ${to}`] : []),
    ...(after
      ? [
          // As int8, since callers may name places beyond what the columns hold.
          sql`(entry.at, entry.network, entry.block_number, entry.log_index, entry.part) > (${after.at}::timestamptz,
            ${after.network}, ${after.block}, ${after.logIndex}::int8, ${after.part}::int8)`,
        ]
      : []),
  ]
  const { rows } = await sql<LedgerRow>`
    select entry.*, other.username as counterparty_name, of_order.order_id, of_order.fee as order_fee
    from (
      select * from ledger_entries as entry where ${sql.join(wanted, sql` and `)}
      order by account, at, network, block_number, log_index, part limit ${limit}
    ) as entry
    left join accounts on accounts.address = entry.counterparty
    left join users as other on other.id = accounts.user_id and other.listed and other.kind = 'passkey'
    left join order_operations as of_hash on of_hash.order_hash = entry.order_hash
    left join orders as of_order on of_order.order_id = of_hash.order_id
    order by entry.at, entry.network, entry.block_number, entry.log_index, entry.part`.execute(database)
  return rows
}

/** What an account received on a network, newest first. */
export const readReceived = (
  database: Kysely<Database>,
  { account, network, limit }: { readonly account: string; readonly network: number; readonly limit: number },
) =>
  database
    .selectFrom('ledger_entries')
    .select(['at', 'block_number', 'log_index', 'asset', 'amount', 'counterparty', 'txn_hash'])
    .where('account', '=', account.toLowerCase())
    .where('network', '=', network)
    // As in the index: a parameter would not show that the index has all of these rows.
    .where(sql<boolean>`holding = 'account' and amount > 0 and txn_hash is not null`)
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .orderBy('part', 'desc')
    .limit(limit)
    .execute()
