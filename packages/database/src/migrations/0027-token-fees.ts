import { type Kysely, sql } from 'kysely'

/** Operations whose gas an account pays in a token: what was taken, in base units of the token that they name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sponsorships drop constraint sponsorships_kind_check`.execute(db)
  await sql`alter table sponsorships add constraint sponsorships_kind_check
    check (kind in ('sponsored', 'order', 'token'))`.execute(db)
  await sql`create index sponsorships_unpaid on sponsorships (network, created_at) where verdict = 'unpaid'`.execute(
    db,
  )
  for (const table of ['operations', 'archived_operations'])
    await sql`alter table ${sql.table(table)} add column fee_paid numeric(78, 0) check (fee_paid >= 0)`.execute(
      db,
    )
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'every_operation'::regclass and attnum > 0 order by attnum`.execute(db)
  const columns = sql.join([...rows.map(({ name }) => name), 'fee_paid'].map((name) => sql.ref(name)))
  await sql`create or replace view every_operation as
    select ${columns} from operations union all select ${columns} from archived_operations`.execute(db)
}
