import { type Kysely, sql } from 'kysely'

/** Operators that an identity provider names, the passkeys that confirm acts, and acts that wait for a second person. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await sql`alter table operators add column break_glass boolean not null default false`.execute(db)
  // A passkey that nobody has vouched for yet confirms nothing.
  await sql`alter table operator_passkeys add column waiting boolean not null default false`.execute(db)
  // What an assertion over this challenge confirms; null for a sign-in or an invitation.
  await sql`alter table operator_challenges add column purpose text collate "C"`.execute(db)
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
  // Null for a row of somebody without such an identity: its hash is that of a row without this column.
  await sql`alter table audit_log add column identity jsonb`.execute(db)
}
