import { type Kysely, sql } from 'kysely'

/** Who changed what, as a hash chain. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      hash text not null check (length(hash) = 64)
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
}
