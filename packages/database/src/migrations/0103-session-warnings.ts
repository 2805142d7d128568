import { type Kysely, sql } from 'kysely'

/** What an owner is told at once about a session key, and how far its operations were looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table session_watches (
      network int8 primary key,
      position int8 not null
    )`.execute(db)
  await sql`
    create index session_operation_events on events (network, position)
    where data->'sessionKey' is not null`.execute(db)
  await sql`
    create table session_warnings (
      account text collate "C" not null,
      network int8 not null,
      key_id text collate "C" not null,
      type text collate "C" not null,
      user_op_hash text collate "C" not null,
      warned_at timestamptz not null,
      primary key (account, network, key_id, type)
    )`.execute(db)
  await sql`
    create function write_session_warning_events() returns trigger language plpgsql as $$
    begin
      insert into events (type, account, network, data) values (
        new.type, new.account, new.network,
        jsonb_build_object('keyId', new.key_id, 'userOpHash', new.user_op_hash));
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger session_warning_events after insert or update on session_warnings for each row
    execute function write_session_warning_events()`.execute(db)
}
