import { type Kysely, sql } from 'kysely'

/** The people who use the console and own no account of a user, the API keys that they create, and what they changed. */
export async function createOperators(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id text collate "C" primary key,
      kind text not null check (kind in ('secret', 'publishable')),
      name text not null,
      key_hash text not null check (length(key_hash) = 64),
      origins jsonb not null check (jsonb_typeof(origins) = 'array'),
      created_at timestamptz not null,
      revoked_at timestamptz,
      scope text not null default 'full' check (scope in ('full', 'read', 'support', 'metrics')),
      project text,
      project_id text not null default 'default',
      -- A publishable key is for browsers on certain pages; a secret key must never be in one.
      check ((kind = 'publishable') = (jsonb_array_length(origins) > 0))
    )`.execute(db)
  await sql`
    create table operators (
      id uuid primary key,
      name text collate "C" not null unique,
      role text not null check (role in ('viewer', 'support', 'operator', 'admin')),
      created_at timestamptz not null,
      disabled_at timestamptz,
      break_glass boolean not null default false
    )`.execute(db)
  await sql`
    create table operator_invitations (
      token_hash text collate "C" primary key,
      operator_id uuid not null references operators (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`
    create index operator_invitations_open on operator_invitations (operator_id) where used_at is null`.execute(
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
      last_used_at timestamptz,
      -- A passkey without a confirmation of its own confirms nothing.
      waiting boolean not null default false
    )`.execute(db)
  await sql`create index operator_passkeys_of on operator_passkeys (operator_id)`.execute(db)
  await sql`
    create table operator_challenges (
      challenge text collate "C" primary key,
      -- The invitation that it registers a passkey for; null for a sign-in.
      token_hash text collate "C" references operator_invitations (token_hash) on delete cascade,
      expires_at timestamptz not null,
      -- What an assertion over this challenge confirms; null for a sign-in or an invitation.
      purpose text collate "C"
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
  // A hash chain.
  await sql`
    create table audit_log (
      position int8 primary key check (position > 0),
      at timestamptz not null,
      actor text not null,
      source text not null,
      act text collate "C" not null,
      subject text not null,
      before jsonb,
      after jsonb,
      previous_hash text not null check (length(previous_hash) = 64),
      hash text not null check (length(hash) = 64),
      -- A person of the identity provider. Null for a row of others: its hash is that of a row without this column.
      identity jsonb
    )`.execute(db)
  await sql`create index audit_log_by_subject on audit_log (act, subject, position)`.execute(db)
  // The end of the chain: whoever extends it locks this row.
  await sql`
    create table audit_head (
      only_row boolean primary key default true check (only_row),
      position int8 not null,
      hash text not null
    )`.execute(db)
  await sql`insert into audit_head (position, hash) values (0, repeat('0', 64))`.execute(db)
  // Against mistakes. Whoever owns the table can drop the trigger, which is what the hashes are for.
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only';
    end $$`.execute(db)
  await sql`
    create trigger audit_log_is_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_audit_change()`.execute(db)
  // How far the audit log has left the house, by destination.
  await sql`
    create table audit_deliveries (
      destination text collate "C" primary key,
      position int8 not null,
      delivered_at timestamptz not null
    )`.execute(db)
  await createOperatorIdentities(db)
}

/** Operators that an identity provider names, the passkeys that confirm acts, and acts that wait for a second person. */
async function createOperatorIdentities(db: Kysely<unknown>): Promise<void> {
  // A person at a provider. The issuer and the subject name them, and nothing else that the provider says does.
  await sql`
    create table operator_identities (
      issuer text collate "C" not null,
      subject text collate "C" not null,
      operator_id uuid not null unique references operators (id) on delete cascade,
      created_at timestamptz not null,
      primary key (issuer, subject)
    )`.execute(db)
  // A session that the provider has to prove again and again.
  await sql`
    create table operator_proofs (
      session_id text collate "C" primary key references operator_sessions (id) on delete cascade,
      proved_at timestamptz not null,
      -- Since when a process asks the provider; null while none does.
      asked_at timestamptz,
      -- When the provider did not answer; null once it has.
      failed_at timestamptz,
      -- Its tokens, encrypted with a key that only the session's cookie gives.
      sealed text not null
    )`.execute(db)
  await sql`
    create table operator_approvals (
      id text collate "C" primary key,
      act text collate "C" not null,
      input jsonb not null,
      -- SHA-256 of the act and its input.
      hash text not null check (length(hash) = 64),
      -- The id and hash of a secret that its requester has seen already; null for an act that makes none.
      made jsonb,
      requested_by uuid not null references operators (id) on delete cascade,
      address text not null,
      requested_at timestamptz not null,
      expires_at timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'withdrawn', 'expired')),
      decided_by uuid references operators (id) on delete set null,
      decided_at timestamptz,
      check ((state = 'waiting') = (decided_at is null))
    )`.execute(db)
  await sql`
    create index operator_approvals_waiting on operator_approvals (expires_at) where state = 'waiting'`.execute(
    db,
  )
  await sql`create index operator_approvals_by_time on operator_approvals (requested_at)`.execute(db)
}
