import { type Kysely, sql } from 'kysely'

/** Users and their accounts; their passkeys, and the challenges of ceremonies; settings that must not change later. */
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
      created_at timestamptz not null,
      -- What the name looks like. Two names never look the same.
      username_skeleton text collate "C"
    )`.execute(db)
  await sql`create unique index users_username_skeleton on users (username_skeleton)`.execute(db)
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
      -- Counters that let one statement detect that another signature, or a locked change, of the account came
      -- first. A lock would need a transaction.
      signatures int8 not null default 0,
      version int8 not null default 0,
      -- Whether an EOA's user, or a server, asked for it. Anybody can create the others with a publishable key.
      confirmed boolean not null default true,
      -- The address of a delegated EOA (EIP-7702) is its owner.
      constraint accounts_check check (
        case when deployment ->> 'kind' = 'eip7702' then eoa_address is null and passkey_x is null
        else (eoa_address is null) = (passkey_x is not null) end
      )
    )`.execute(db)
  await sql`
    create table credentials (
      id text collate "C" primary key,
      user_id uuid not null references users (id),
      public_key bytea not null,
      -- The address of its signer contract.
      signer text collate "C" not null unique check (signer = lower(signer)),
      verifiers numeric(78, 0) not null,
      first_owner boolean not null,
      label text not null,
      counter int8 not null check (counter >= 0),
      backup_eligible boolean not null,
      backed_up boolean not null,
      transports jsonb not null,
      aaguid uuid not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index credentials_by_user on credentials (user_id)`.execute(db)
  // An account has one first owner. A key, which determines its signer contract's address, belongs to one
  // credential.
  await sql`create unique index credentials_first_owner on credentials (user_id) where first_owner`.execute(
    db,
  )
  await sql`create unique index credentials_public_key on credentials (public_key)`.execute(db)
  await sql`
    create table challenges (
      challenge text collate "C" primary key,
      ceremony text not null check (ceremony in ('register', 'authenticate', 'discover', 'credential', 'login')),
      subject text collate "C" not null,
      user_id uuid,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index challenges_by_expiry on challenges (expires_at)`.execute(db)
  await sql`create index challenges_by_subject on challenges (ceremony, subject)`.execute(db)
  // At most one row: the primary key allows only true. So do those of the next two tables.
  await sql`
    create table relying_party (
      only_row boolean primary key default true check (only_row),
      rp_id text not null,
      origins jsonb not null
    )`.execute(db)
  await sql`
    create table account_modules (
      only_row boolean primary key default true check (only_row),
      ownership text collate "C"
    )`.execute(db)
  await sql`
    create table token_keys (
      only_row boolean primary key default true check (only_row),
      private_jwk jsonb not null,
      created_at timestamptz not null
    )`.execute(db)
  // Not used any more: these budgets are rows of sponsorship_days. It goes when the migrations are folded.
  await sql`
    create table sponsored_deployments (
      day date not null,
      caller text collate "C" not null,
      count int4 not null,
      primary key (day, caller)
    )`.execute(db)
}
