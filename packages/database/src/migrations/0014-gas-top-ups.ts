import { type Kysely, sql } from 'kysely'

/** Top-ups of SmartBalance's gas deposit, and the last block watched on each network. Amounts in wei. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Written together with the signed bytes, so that the amounts signed within an hour never exceed the hourly
  // budget.
  await sql`
    create table gas_top_ups (
      txn_hash text primary key references relayer_transactions (txn_hash),
      network int8 not null,
      sender text collate "C" not null,
      nonce int8 not null,
      amount numeric(78, 0) not null check (amount > 0),
      created_at timestamptz not null,
      final boolean not null
    )`.execute(db)
  await sql`create index gas_top_ups_by_time on gas_top_ups (network, created_at)`.execute(db)

  await sql`
    create table watched_contracts (
      network int8 primary key,
      block_number int8 not null
    )`.execute(db)
}
