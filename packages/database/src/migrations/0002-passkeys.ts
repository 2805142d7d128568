import { type Kysely, sql } from 'kysely'

/**
 * Passkeys: their credentials, the challenges of their ceremonies, and settings that the service must not
 * change later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table credentials (
      id text collate "C" primary key,
      user_id uuid not null references users (id),
      public_key bytea not null,
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
  // Finds the operation of an assertion by its challenge.
  await sql`create index operations_by_challenge on operations (safe_op_hash) where sign_mode = 'WEBAUTHN'`.execute(
    db,
  )

  // At most one row: the primary key allows only true.
  await sql`
    create table relying_party (
      only_row boolean primary key default true check (only_row),
      rp_id text not null,
      origins jsonb not null
    )`.execute(db)
  await sql`
    create table token_keys (
      only_row boolean primary key default true check (only_row),
      private_jwk jsonb not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table sponsored_deployments (
      day date not null,
      caller text collate "C" not null,
      count int4 not null,
      primary key (day, caller)
    )`.execute(db)
}
