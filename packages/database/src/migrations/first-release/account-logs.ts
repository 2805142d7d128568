import { type Kysely, sql } from 'kysely'

/**
 * Contract logs about accounts (owners, sessions, transfers), as far as the service reads them. The database
 * writes their events in the statement that records, confirms or removes a log.
 */
export async function createAccountLogs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_logs (
      network int8 not null,
      block_hash text collate "C" not null,
      log_index int4 not null,
      block_number int8 not null,
      txn_hash text not null,
      account text collate "C" not null,
      type text collate "C" not null,
      data jsonb not null,
      final boolean not null default false,
      seen_at timestamptz not null,
      primary key (network, block_hash, log_index)
    )`.execute(db)
  await sql`create index account_logs_unfinished on account_logs (network, block_number) where not final`.execute(
    db,
  )
  await sql`create index account_logs_by_time on account_logs (seen_at) where final`.execute(db)
  await sql`
    create table account_watches (
      account text collate "C" primary key,
      until timestamptz not null
    )`.execute(db)
  await sql`
    create table log_watches (
      network int8 primary key,
      block_number int8 not null,
      next_look_at timestamptz not null
    )`.execute(db)
  // For each statement, not for each row, so that the events of a page are in chain order. The only statement
  // that updates a row makes it final. Deleting a final row later is cleanup and says nothing about the
  // chain.
  await sql`
    create function write_account_log_events() returns trigger language plpgsql as $$
    begin
      insert into events (type, account, network, data)
      select
        case
          when tg_op = 'INSERT' then type
          else split_part(type, '.', 1) || case when tg_op = 'DELETE' then '.reorged' else '.final' end
        end,
        account, network,
        data || jsonb_build_object(
          'change', split_part(type, '.', 2),
          'final', final,
          'txnHash', txn_hash,
          'logIndex', log_index,
          'blockNumber', block_number::text,
          'blockHash', block_hash
        )
      from changed
      where tg_op = 'INSERT' or final = (tg_op = 'UPDATE')
      order by block_number, log_index;
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger account_log_recorded after insert on account_logs referencing new table as changed
    for each statement execute function write_account_log_events()`.execute(db)
  await sql`
    create trigger account_log_final after update on account_logs referencing new table as changed
    for each statement execute function write_account_log_events()`.execute(db)
  await sql`
    create trigger account_log_removed after delete on account_logs referencing old table as changed
    for each statement execute function write_account_log_events()`.execute(db)

  await createSessionWarnings(db)
}

/** What an owner is told at once about a session key, and how far its operations were looked at. */
async function createSessionWarnings(db: Kysely<unknown>): Promise<void> {
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
