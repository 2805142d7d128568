import { type Kysely, sql } from 'kysely'

/** The people who use the console: their roles, invitations, passkeys and sessions. They own no account of a user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operators (
      id uuid primary key,
      name text collate "C" not null unique,
      role text not null check (role in ('viewer', 'support', 'operator', 'admin')),
      created_at timestamptz not null,
      disabled_at timestamptz
    )`.execute(db)
  await sql`
    create table operator_invitations (
      token_hash text collate "C" primary key,
      operator_id uuid not null references operators (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index operator_invitations_open on operator_invitations (operator_id) where used_at is null`.execute(
    db,
  )
  await sql`
    create table operator_passkeys (
      id text collate "C" primary key,
      operator_id uuid not null references operators (id) on delete cascade,
      public_key bytea not null,
      counter int8 not null,
      backup_eligible boolean not null,
      transports jsonb not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index operator_passkeys_of on operator_passkeys (operator_id)`.execute(db)
  await sql`
    create table operator_challenges (
      challenge text collate "C" primary key,
      -- The invitation that it registers a passkey for; null for a sign-in.
      token_hash text collate "C" references operator_invitations (token_hash) on delete cascade,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index operator_challenges_by_expiry on operator_challenges (expires_at)`.execute(db)
  await sql`
    create table operator_sessions (
      id text collate "C" primary key,
      token_hash text collate "C" not null unique,
      operator_id uuid not null references operators (id) on delete cascade,
      address text not null,
      user_agent text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index operator_sessions_of on operator_sessions (operator_id, created_at)`.execute(db)
}
