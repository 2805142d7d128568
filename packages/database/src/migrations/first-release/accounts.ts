import { type Kysely, sql } from 'kysely'

/**
 * Users and their accounts; their passkeys, and the challenges of ceremonies; settings that must not change later. The rows of one
 * app of an installation name it (`project_id`); what belongs to a user or an account is found by it, so those rows name none.
 */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
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
      username_skeleton text collate "C",
      -- Which tables of look-alikes the skeleton follows. 0: unknown.
      skeleton_version int4 not null default 0,
      -- A name that only waits for its user: no request finds it, and no other user gets it.
      reserved boolean not null default false,
      project_id text not null default 'default'
    )`.execute(db)
  await sql`create unique index users_username_skeleton on users (username_skeleton)`.execute(db)
  await sql`create index users_by_skeleton_version on users (skeleton_version, created_at, id)`.execute(db)
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
      project_id text not null default 'default',
      -- The address of a delegated EOA (EIP-7702) is its owner. An imported account has an address of its own in its deployment, and
      -- its owners are on the chain: an EOA may own it besides its own account.
      constraint accounts_check check (
        case when deployment ->> 'kind' = 'eip7702' or deployment ? 'address'
          then eoa_address is null and passkey_x is null
        else (eoa_address is null) = (passkey_x is not null) end
      )
    )`.execute(db)
  // Accounts that no caller has proven lapse. `signatures`, which each operation changes, is not part of the index, so that these
  // updates stay in their page.
  await sql`create index accounts_unconfirmed on accounts (created_at) where not confirmed`.execute(db)
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
      origins jsonb not null,
      project_id text not null default 'default'
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
  // Accounts of another service whose users may come: for each EOA, which account of it gets the name and the external id of the
  // operator's file. Until its EOA signs, a row is a reservation with an end, and no account.
  await sql`
    create table imported_accounts (
      eoa_address text collate "C" primary key check (eoa_address = lower(eoa_address)),
      account_kind text not null check (account_kind in ('safe', 'eip7702')),
      external_id text collate "C" unique,
      -- Until it is claimed, the reserved name, if there is one; then the account's user.
      user_id uuid unique references users (id) on delete cascade,
      imported_at timestamptz not null,
      expires_at timestamptz not null,
      claimed_at timestamptz
    )`.execute(db)
  await sql`create index imported_accounts_waiting on imported_accounts (expires_at) where claimed_at is null`.execute(
    db,
  )
}
