import { type Kysely, sql } from 'kysely'

/**
 * Months of the archive are created by a function that runs as the owner of the tables, so that the service's own role may only
 * read and write rows. Others may call it once they are told to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ensure_archive_partition(month text) returns void
    language plpgsql security definer set search_path from current as $$
    declare
      base text := 'archived_operations_' || replace(month, '-', '_');
      named text;
      others int4;
      from_time timestamptz := (month || '-01T00:00:00Z')::timestamptz;
      to_time timestamptz := ((month || '-01')::timestamp + interval '1 month') at time zone 'UTC';
    begin
      if month !~ '^[0-9]{4}-[0-9]{2}$' then
        raise exception 'not a month: %', month;
      end if;
      -- One process at a time; attaching does not hold up readers, nor writers of other partitions.
      perform pg_advisory_xact_lock(hashtext('archived_operations'));
      if exists (
        select from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and relispartition and starts_with(relname, base)
      ) then
        return;
      end if;
      -- A detached one keeps its name: what still comes gets a partition of its own.
      select count(*) into others from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and starts_with(relname, base);
      named := base || case when others = 0 then '' else '_' || (others + 1)::text end;
      insert into archived_months (month, created_at) values (ensure_archive_partition.month, now())
        on conflict do nothing;
      execute format('create table %I (like archived_operations including defaults including constraints)', named);
      -- As those of operations: without them, the planner reads and sorts all operations of a session key.
      execute format('create statistics %I (mcv) on account, (session_key->>''key'') from %I', named || '_sessions', named);
      execute format('alter table archived_operations attach partition %I for values from (%L) to (%L)',
        named, from_time, to_time);
    end $$`.execute(db)
  await sql`revoke execute on function ensure_archive_partition(text) from public`.execute(db)
}
