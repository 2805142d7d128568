import { type Kysely, sql } from 'kysely'

/** What relayers and other keys of the service sent, what it cost, and who owes it. Amounts in wei. */
export async function createRelayers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table relayer_leases (
      network int8 not null,
      relayer text not null,
      holder text not null,
      fence int8 not null,
      expires_at timestamptz not null,
      -- Until then the relayer goes to a process with an urgent call. Null: to any.
      urgent_until timestamptz,
      primary key (network, relayer)
    )`.execute(db)
  await sql`
    create table relayer_transactions (
      txn_hash text primary key,
      network int8 not null,
      relayer text not null,
      nonce int8 not null,
      raw text not null,
      gas_limit numeric(78, 0) not null,
      max_fee_per_gas numeric(78, 0) not null,
      max_priority_fee_per_gas numeric(78, 0) not null,
      state text not null check (state in ('live', 'mined', 'lost')),
      block_number int8,
      block_hash text,
      created_at timestamptz not null,
      sent_at timestamptz,
      -- What the operations of a replacement do not pay, at most.
      loss numeric(78, 0) not null default 0,
      audited boolean not null default false,
      -- What it cost its relayer, and what EntryPoint paid it. Null until its receipt was read.
      spent numeric,
      earned numeric,
      -- What a call of the relayers' own achieves, so that none is sent a second time with other bytes.
      intent text collate "C",
      -- What stops a theft comes first. Replacements of an urgent call are paid as it is.
      urgent boolean not null default false,
      -- It may revert, and nothing vouches for its account: of a caller, at most one such is live.
      unproven boolean not null default false
    )`.execute(db)
  await sql`create index relayer_transactions_by_nonce on relayer_transactions (network, relayer, nonce)`.execute(
    db,
  )
  await sql`
    create index relayer_transactions_live on relayer_transactions (network, relayer) where state = 'live'`.execute(
    db,
  )
  await sql`
    create index relayer_transactions_losses on relayer_transactions (network, relayer, created_at) where loss > 0`.execute(
    db,
  )
  await sql`
    create index relayer_transactions_unaudited on relayer_transactions (network)
    where state = 'mined' and not audited`.execute(db)
  await sql`
    create index relayer_transactions_with_raw on relayer_transactions (created_at) where raw <> ''`.execute(
    db,
  )
  await sql`
    create index relayer_transactions_by_day on relayer_transactions (created_at) where spent is not null`.execute(
    db,
  )
  await sql`
    create index relayer_transactions_by_intent on relayer_transactions (network, intent)
    where intent is not null`.execute(db)
  await sql`
    create table relayer_transaction_operations (
      txn_hash text not null references relayer_transactions (txn_hash),
      position int4 not null,
      user_op_hash text not null references operations (user_op_hash),
      primary key (txn_hash, position)
    )`.execute(db)
  await sql`
    create index relayer_transaction_operations_by_operation on relayer_transaction_operations (user_op_hash)`.execute(
    db,
  )
  // How long the embedded bundler leaves an account alone whose operations fail.
  await sql`
    create table account_backoffs (
      network int8 not null,
      account text collate "C" not null,
      failures int4 not null,
      next_at timestamptz not null,
      primary key (network, account)
    )`.execute(db)
  // Gas that relayers paid and nobody repaid, and who caused it.
  await sql`
    create table relayer_losses (
      txn_hash text collate "C" not null,
      user_op_hash text collate "C" not null,
      network int8 not null,
      account text collate "C" not null,
      sent_by text collate "C",
      reason text not null check (reason in ('reverted', 'raced', 'underpaid')),
      wei numeric(78, 0) not null,
      owed numeric(78, 0) not null,
      lost_at timestamptz not null,
      repaid_by text collate "C",
      primary key (txn_hash, user_op_hash)
    )`.execute(db)
  await sql`
    create index relayer_losses_accounts on relayer_losses (network, account)
    where owed > 0 and repaid_by is null`.execute(db)
  await sql`
    create index relayer_losses_callers on relayer_losses (network, sent_by, lost_at)
    where owed > 0 and repaid_by is null`.execute(db)
  await sql`create index relayer_losses_by_time on relayer_losses (network, lost_at)`.execute(db)
  // What the treasury sent to relayers. Written together with the signed bytes, so that what is signed within
  // an hour never exceeds the budget. So is the next table.
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
  // Top-ups of SmartBalance's gas deposit.
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
}
