import { type Kysely, sql } from 'kysely'

/** What the treasury sent to relayers. Amounts in wei. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Written together with the signed bytes, so that what is signed within an hour never exceeds the budget.
  await sql`
    create table relayer_refills (
      txn_hash text primary key references relayer_transactions (txn_hash),
      network int8 not null,
      sender text collate "C" not null,
      nonce int8 not null,
      relayer text collate "C" not null,
      amount numeric(78, 0) not null check (amount > 0),
      fee numeric(78, 0) not null,
      created_at timestamptz not null,
      final boolean not null
    )`.execute(db)
  await sql`create index relayer_refills_by_time on relayer_refills (network, created_at)`.execute(db)
  await sql`create index relayer_refills_open on relayer_refills (network) where not final`.execute(db)
}
