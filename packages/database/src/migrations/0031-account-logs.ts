import { type Kysely, sql } from 'kysely'

/**
 * What contracts say of accounts (owners, sessions, transfers), as far as the service reads their logs. The events that
 * tell it are written by the database in the statement that records, confirms or removes a log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await sql`
    create function write_account_log_events() returns trigger language plpgsql as $$
    declare
      log account_logs := case when tg_op = 'DELETE' then old else new end;
    begin
      insert into events (type, account, network, data) values (
        case
          when tg_op = 'INSERT' then log.type
          else split_part(log.type, '.', 1) || case when tg_op = 'DELETE' then '.reorged' else '.final' end
        end,
        log.account, log.network,
        log.data || jsonb_build_object(
          'change', split_part(log.type, '.', 2),
          'final', log.final,
          'txnHash', log.txn_hash,
          'logIndex', log.log_index,
          'blockNumber', log.block_number::text,
          'blockHash', log.block_hash
        )
      );
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger account_log_recorded after insert on account_logs for each row
    execute function write_account_log_events()`.execute(db)
  await sql`
    create trigger account_log_final after update of final on account_logs for each row
    when (new.final and not old.final) execute function write_account_log_events()`.execute(db)
  // Final ones are deleted in time, which says nothing about the chain.
  await sql`
    create trigger account_log_removed after delete on account_logs for each row
    when (not old.final) execute function write_account_log_events()`.execute(db)
}
