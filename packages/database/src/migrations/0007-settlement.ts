import { type Kysely, sql } from 'kysely'

/** The outcomes of orders, their attestations, and the transactions that settle them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders add column outcome text check (outcome in ('claimed', 'failed'))`.execute(db)
  await sql`alter table order_operations add column signature text`.execute(db)
  await sql`
    alter table order_debits
      add column attempts int4 not null default 0,
      add column next_attempt_at timestamptz,
      add column reason text,
      add column closed_at timestamptz`.execute(db)

  // One row, and so one outcome, for each attestor and order.
  await sql`
    create table attestations (
      order_hash text not null references order_operations (order_hash),
      attestor text not null,
      outcome text not null check (outcome in ('claimed', 'failed')),
      block_number int8 not null,
      block_hash text not null,
      decided_at timestamptz not null,
      signature text,
      primary key (order_hash, attestor)
    )`.execute(db)

  await sql`
    create table settlement_debits (
      txn_hash text not null references relayer_transactions (txn_hash),
      position int4 not null,
      order_id text not null,
      network int8 not null,
      final boolean not null default false,
      primary key (txn_hash, position),
      foreign key (order_id, network) references order_debits (order_id, network)
    )`.execute(db)
  await sql`create index settlement_debits_by_debit on settlement_debits (order_id, network)`.execute(db)
  await sql`create index settlement_debits_open on settlement_debits (network) where not final`.execute(db)
}
