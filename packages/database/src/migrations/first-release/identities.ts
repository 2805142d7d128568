import { type Kysely, sql } from 'kysely'

/** Logins at identity providers that name users, names that they reserve, and what they ask guardians for. */
export async function createIdentities(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identities (
      -- HMAC of issuer and subject. The subject itself is nowhere.
      hash text collate "C" primary key check (length(hash) = 64),
      id uuid not null unique,
      issuer text collate "C" not null,
      user_id uuid not null references users (id) on delete cascade,
      linked_at timestamptz not null,
      used_at timestamptz,
      project_id text not null default 'default'
    )`.execute(db)
  await sql`create index identities_by_user on identities (user_id)`.execute(db)
  await sql`
    create table identity_names (
      hash text collate "C" primary key check (length(hash) = 64),
      issuer text collate "C" not null,
      username_key text collate "C" not null,
      username_skeleton text collate "C" not null,
      expires_at timestamptz not null
    )`.execute(db)
  // A name that has lapsed gives way to the next one, so at most one login has it.
  await sql`create unique index identity_names_by_skeleton on identity_names (username_skeleton)`.execute(db)
  await sql`create index identity_names_by_expiry on identity_names (expires_at)`.execute(db)
  await sql`
    create table guardian_requests (
      id uuid primary key,
      identity_id uuid not null references identities (id) on delete cascade,
      account text collate "C" not null,
      new_owner jsonb not null,
      network int8 not null,
      issuer text collate "C" not null,
      requested_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index guardian_requests_by_account on guardian_requests (account, requested_at)`.execute(
    db,
  )
  await sql`create index guardian_requests_by_identity on guardian_requests (identity_id)`.execute(db)
  await sql`create index guardian_requests_by_expiry on guardian_requests (expires_at)`.execute(db)
  await sql`
    create function write_guardian_request_event() returns trigger language plpgsql as $$
    begin
      insert into events (type, account, network, data) values (
        'recovery.requested', new.account, new.network, jsonb_build_object(
          'newOwner', new.new_owner,
          'issuer', new.issuer,
          'expiresAt', floor(extract(epoch from new.expires_at))::int8
        ));
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger guardian_request_events after insert on guardian_requests for each row
    execute function write_guardian_request_event()`.execute(db)
}
