import { type Kysely, sql } from 'kysely'

/** Deposits according to final blocks, the terms of quotes, orders, and their settlement. Amounts have 6 decimals. */
export async function createSmartBalance(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table smart_balance_ledger (
      account text collate "C" not null references accounts (address),
      network int8 not null,
      balance numeric(39, 0) not null,
      exiting numeric(39, 0) not null,
      exit_ready_at int8 not null,
      pinned_signers jsonb not null,
      asked_signers jsonb not null,
      block_number int8 not null,
      block_timestamp int8 not null,
      primary key (account, network),
      check (exiting <= balance)
    )`.execute(db)
  // A transaction that reserves a network's liquidity locks its row.
  await sql`create table smart_balance_networks (network int8 primary key)`.execute(db)
  await sql`
    create table watched_contracts (
      network int8 primary key,
      block_number int8 not null
    )`.execute(db)
  await sql`
    create table smart_balance_terms (
      account text collate "C" not null references accounts (address),
      output_network int8 not null,
      terms jsonb not null,
      made_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (account, output_network)
    )`.execute(db)
  await sql`
    create table orders (
      order_id text primary key,
      account text collate "C" not null references accounts (address),
      output_network int8 not null,
      type text not null check (type in ('AMOUNT_OUT', 'AMOUNT_IN')),
      amount numeric(39, 0) not null,
      fee numeric(39, 0) not null,
      total numeric(39, 0) not null check (total = amount + fee),
      claim_amount numeric(39, 0) not null,
      withdrawal_amount numeric(39, 0) not null,
      withdrawal_fee numeric(39, 0) not null,
      withdrawal_salt text,
      withdrawal_deadline int8,
      withdrawal_digest text unique,
      withdrawal_signature text,
      withdrawal_state text not null check (withdrawal_state in ('none', 'open', 'used', 'lapsed')),
      nonce_key numeric(58, 0) not null,
      nonce_sequence numeric(20, 0) not null,
      signer_id text not null,
      gas_budget numeric(78, 0) not null,
      state text not null
        check (state in ('RESERVED', 'SUBMITTED', 'CLAIMED', 'FAILED', 'ATTESTED', 'SETTLED', 'EXPIRED')),
      reserved_at timestamptz not null,
      expires_at timestamptz not null,
      order_hash text unique,
      user_op_hash text references operations (user_op_hash),
      txn_hash text,
      block_number int8,
      block_hash text,
      closed_at timestamptz,
      outcome text check (outcome in ('claimed', 'failed')),
      check (amount = claim_amount + withdrawal_amount),
      check ((withdrawal_state = 'none') = (withdrawal_digest is null))
    )`.execute(db)
  await sql`create index orders_open on orders (account, output_network) where closed_at is null`.execute(db)
  await sql`create index orders_open_by_network on orders (output_network) where closed_at is null`.execute(
    db,
  )
  await sql`create index orders_history on orders (account, reserved_at desc)`.execute(db)
  // A co-signature outlives its order: the account can use it until its deadline.
  await sql`create index orders_cosigned on orders (account) where withdrawal_state = 'open'`.execute(db)
  await sql`create index orders_by_operation on orders (user_op_hash) where user_op_hash is not null`.execute(
    db,
  )
  await sql`create index orders_unsigned on orders (reserved_at) where user_op_hash is null`.execute(db)
  // An order may be built more than once with the same nonce: at most one of its operations is ever included.
  await sql`
    create table order_operations (
      order_hash text primary key,
      order_id text not null references orders (order_id),
      user_op_hash text not null references operations (user_op_hash),
      paymaster_and_data text not null,
      valid_until int8 not null,
      created_at timestamptz not null,
      signature text
    )`.execute(db)
  await sql`create index order_operations_by_order on order_operations (order_id)`.execute(db)
  await sql`create index order_operations_by_operation on order_operations (user_op_hash)`.execute(db)
  await sql`
    create table order_debits (
      order_id text not null references orders (order_id),
      network int8 not null,
      amount numeric(39, 0) not null check (amount > 0),
      fail_fee numeric(39, 0) not null check (fail_fee <= amount),
      state text not null check (state in ('RESERVED', 'DUE', 'SETTLED', 'PARTIAL', 'LOST', 'RELEASED')),
      due numeric(39, 0),
      settled_amount numeric(39, 0) not null default 0,
      txn_hash text,
      attempts int4 not null default 0,
      next_attempt_at timestamptz,
      reason text,
      closed_at timestamptz,
      primary key (order_id, network)
    )`.execute(db)
  await sql`
    create index order_debits_open on order_debits (network) where state in ('RESERVED', 'DUE', 'PARTIAL')`.execute(
    db,
  )
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
