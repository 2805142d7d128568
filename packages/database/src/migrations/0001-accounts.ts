import { type Kysely, sql } from 'kysely'

/** Users, accounts, user operations, and the embedded bundler's relayers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)

  // Names and addresses compare by bytes in any collation of the database (`collate "C"`), so that their
  // unique indices also serve prefix searches, in result order.
  await sql`
    create table users (
      id uuid primary key,
      kind text not null check (kind in ('eoa', 'passkey')),
      username text not null,
      username_key text collate "C" not null unique,
      listed boolean not null generated always as (strpos(username_key, '@') = 0) stored,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index users_search_prefix on users (username_key) where listed`.execute(db)
  await sql`
    create index users_search_substring on users using gin (username_key gin_trgm_ops) where listed`.execute(
    db,
  )

  await sql`
    create table accounts (
      address text collate "C" primary key check (address = lower(address)),
      user_id uuid not null unique references users (id),
      eoa_address text collate "C" unique check (eoa_address = lower(eoa_address)),
      passkey_x numeric(78, 0),
      passkey_y numeric(78, 0),
      passkey_verifiers numeric(78, 0),
      deployment jsonb not null,
      created_at timestamptz not null,
      check ((eoa_address is null) = (passkey_x is not null))
    )`.execute(db)

  await sql`
    create table operations (
      user_op_hash text primary key,
      account text not null references accounts (address),
      network int8 not null,
      entry_point text not null,
      nonce_key numeric(58, 0) not null,
      nonce_sequence numeric(20, 0) not null,
      user_op jsonb not null,
      safe_op_hash text not null,
      valid_after int8 not null,
      valid_until int8 not null,
      sign_mode text not null check (sign_mode in ('ECDSA', 'SESSION_KEY', 'WEBAUTHN')),
      value numeric(78, 0) not null,
      deploys boolean not null,
      replaces text references operations (user_op_hash),
      state text not null
        check (state in ('built', 'submitting', 'submitted', 'included', 'dropped', 'expired')),
      final boolean not null default false,
      built_at timestamptz not null,
      build_expires_at timestamptz not null,
      signature text,
      signed_at timestamptz,
      signed_at_block int8,
      attempts int4 not null default 0,
      next_attempt_at timestamptz,
      txn_hash text,
      block_number int8,
      block_hash text,
      included_at timestamptz,
      success boolean,
      gas_cost numeric(78, 0),
      reason_code text,
      reason_message text,
      check (state in ('built', 'dropped', 'expired', 'included') or signature is not null),
      check (state <> 'included'
        or (txn_hash is not null and block_number is not null and block_hash is not null and success is not null))
    )`.execute(db)
  // Two builds never hold the same nonce, even if the code above has a bug.
  await sql`
    create unique index operations_one_build_a_nonce on operations (account, network, nonce_key, nonce_sequence)
    where state = 'built'`.execute(db)
  await sql`create index operations_lanes on operations (account, network, nonce_key, nonce_sequence)`.execute(
    db,
  )
  await sql`create index operations_unfinished on operations (network, state) where not final and state <> 'built'`.execute(
    db,
  )
  await sql`create index operations_history on operations (account, included_at desc) where state = 'included'`.execute(
    db,
  )

  await sql`
    create table relayer_leases (
      network int8 not null,
      relayer text not null,
      holder text not null,
      fence int8 not null,
      expires_at timestamptz not null,
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
      sent_at timestamptz
    )`.execute(db)
  await sql`create index relayer_transactions_by_nonce on relayer_transactions (network, relayer, nonce)`.execute(
    db,
  )
  await sql`create index relayer_transactions_live on relayer_transactions (network, relayer) where state = 'live'`.execute(
    db,
  )
  await sql`
    create table relayer_transaction_operations (
      txn_hash text not null references relayer_transactions (txn_hash),
      position int4 not null,
      user_op_hash text not null references operations (user_op_hash),
      primary key (txn_hash, position)
    )`.execute(db)
  await sql`create index relayer_transaction_operations_by_operation on relayer_transaction_operations (user_op_hash)`.execute(
    db,
  )
}
